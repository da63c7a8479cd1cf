// A clone of Kokkos has no configuration: every source that included it was
// unread, or read with another release.
#include "input/kokkos_installation.h"
#include "input_folder.h"
#include <gtest/gtest.h>

using namespace warplint;

TEST(KokkosCheckout, IsConfiguredAsByCMake) {
  InputFolder folder;
  folder.write("core/src/Kokkos_Core.hpp");
  folder.write("tpls/mdspan/include/mdspan/mdspan.hpp");
  folder.write("CMakeLists.txt", "set(Kokkos_VERSION_MAJOR 4)\n"
                                 "set(Kokkos_VERSION_MINOR 6)\n"
                                 "set(Kokkos_VERSION_PATCH 1)\n");
  const auto kokkos = kokkosOfCheckout(folder / "core/src", folder / "kept");
  ASSERT_TRUE(kokkos);
  EXPECT_EQ(kokkos->version, 40601u);
  EXPECT_FALSE(kokkos->forCuda);
  ASSERT_EQ(kokkos->further.size(), 2u);
  EXPECT_EQ(kokkos->further[1], folder / "tpls/mdspan/include");
  // What an installation would have there.
  folder.write("kept/" + kokkos->further[0].substr((folder / "kept/").size()) +
               "/Kokkos_Core.hpp");
  const auto installed = kokkosIn(kokkos->further[0]);
  ASSERT_TRUE(installed);
  EXPECT_EQ(installed->version, 40601u);
}

TEST(KokkosCheckout, WithoutItsReleaseThereIsNone) {
  InputFolder folder;
  folder.write("core/src/Kokkos_Core.hpp");
  EXPECT_FALSE(kokkosOfCheckout(folder / "core/src", folder / "kept"));
  folder.write("CMakeLists.txt", "set(Kokkos_VERSION_MAJOR 4)\n");
  EXPECT_FALSE(kokkosOfCheckout(folder / "core/src", folder / "kept"));
}
