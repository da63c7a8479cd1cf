// Host builds of Kokkos code are linted as the CUDA build that they can be.
#include "input/kokkos_search.h"
#include "input_folder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class KokkosSearchIn : public testing::Test {
protected:
  bool uses(llvm::StringRef text, std::vector<std::string> flags = {}) {
    const std::string source = folder.write("src/a.cpp", text);
    flags.insert(flags.begin(), "g++");
    flags.insert(flags.end(), {"-c", source});
    IncludeGraph includes;
    return usesKokkos({source, folder.path, flags}, includes);
  }
  InputFolder folder;
};

} // namespace

TEST_F(KokkosSearchIn, TheSourceOrAHeaderOfItsProjectCounts) {
  folder.write("include/types.h", "#include <Kokkos_Core.hpp>\n");
  folder.write("include/plain.h", "#include <vector>\n");
  EXPECT_TRUE(uses("#include <Kokkos_Core.hpp>\n"));
  EXPECT_TRUE(uses("void f(Kokkos::View<int *> x);\n"));
  EXPECT_TRUE(uses("#include <types.h>\n", {"-Iinclude"}));
  EXPECT_FALSE(uses("#include <types.h>\n", {"-isystem", "include"}));
  EXPECT_FALSE(uses("#include <plain.h>\n", {"-Iinclude"}));
}

TEST_F(KokkosSearchIn, ResponseFilesNameFolders) {
  folder.write("include/types.h", "#include \"Kokkos_View.hpp\"\n");
  folder.write("flags.rsp", "-Iinclude\n");
  EXPECT_TRUE(uses("#include <types.h>\n", {"@flags.rsp"}));
  EXPECT_FALSE(uses("#include <types.h>\n", {"@none.rsp"}));
}

// Cabana's examples include Cabana_Core.hpp, which lies behind a flag that only
// a build knows: a folder of them had no source.
TEST_F(KokkosSearchIn, WithoutABuildHeadersAreFoundByName) {
  folder.write("core/src/cabana.hpp", "#include <impl/types.hpp>\n");
  folder.write("core/src/impl/types.hpp", "#include <Kokkos_Core.hpp>\n");
  folder.write("core/src/plain.hpp");
  auto includesByName = [&](llvm::StringRef text) {
    const std::string source = folder.write("examples/a.cpp", text);
    IncludeGraph includes;
    FilesOfProjects files;
    return includesKokkosByName(
        {source, folder.path, {"nvcc", source}, /*isBare=*/true}, includes,
        files);
  };
  EXPECT_TRUE(includesByName("#include <cabana.hpp>\n#include <vector>\n"
                             "Kokkos::View<int *> x;\n"));
  EXPECT_TRUE(includesByName("#include <cabana.hpp>\n"
                             "auto f = KOKKOS_LAMBDA(int) {};\n"));
  EXPECT_FALSE(includesByName("#include <cabana.hpp>\nint x;\n"));
  EXPECT_FALSE(includesByName("#include <plain.hpp>\n// as in Kokkos\n"));
  EXPECT_FALSE(includesByName("#include <none.hpp>\n// as in Kokkos\n"));
}

TEST(KokkosHeader, IsKnownByItsName) {
  EXPECT_TRUE(isKokkosHeader("/opt/k/include/Kokkos_Core.hpp"));
  EXPECT_TRUE(isKokkosHeader("/x/desul/atomics/Common.hpp"));
  EXPECT_FALSE(isKokkosHeader("/src/kokkos_kernels.hpp"));
  EXPECT_FALSE(isKokkosHeader("/src/Kokkos_notes.txt"));
}
