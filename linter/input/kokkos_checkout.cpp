#include "base/regular_file.h"
#include "input/generated_header.h"
#include "input/kokkos_installation.h"
#include "input/search_flags.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warplint {

/// The number of `set(Kokkos_VERSION_MAJOR 4)`.
static std::optional<unsigned> versionPart(StringRef cmake, StringRef name) {
  const std::string head = ("set(Kokkos_VERSION_" + name + " ").str();
  const size_t at = cmake.find_insensitive(head);
  unsigned number = 0;
  if (at == StringRef::npos ||
      cmake.drop_front(at + head.size()).consumeInteger(10, number) ||
      number > 99)
    return std::nullopt;
  return number;
}

/// KOKKOS_VERSION of the CMakeLists.txt of a checkout.
static std::optional<unsigned> versionIn(StringRef cmake) {
  const auto major = versionPart(cmake, "MAJOR");
  const auto minor = versionPart(cmake, "MINOR");
  const auto patch = versionPart(cmake, "PATCH");
  if (!major || !minor || !patch)
    return std::nullopt;
  return *major * 10'000 + *minor * 100 + *patch;
}

/// The options that CMake switches on by itself.
static std::string configuration(unsigned version, bool hasMdspan) {
  const unsigned major = version / 10'000;
  std::string text = formatv("#define KOKKOS_VERSION {0}\n"
                             "#define KOKKOS_VERSION_MAJOR {1}\n"
                             "#define KOKKOS_VERSION_MINOR {2}\n"
                             "#define KOKKOS_VERSION_PATCH {3}\n"
                             "#define KOKKOS_ENABLE_SERIAL\n"
                             "#define KOKKOS_ENABLE_CXX{4}\n"
                             "#define KOKKOS_ENABLE_COMPLEX_ALIGN\n"
                             "#define KOKKOS_ENABLE_DEPRECATED_CODE_{1}\n",
                             version, major, version / 100 % 100, version % 100,
                             major < 5 ? 17 : 20);
  if (hasMdspan)
    text += "#define KOKKOS_ENABLE_IMPL_MDSPAN\n";
  return text;
}

std::optional<KokkosInstallation> kokkosOfCheckout(StringRef include,
                                                   StringRef kept) {
  const std::string root =
      sys::path::parent_path(sys::path::parent_path(include)).str();
  if (kept.empty() || sys::path::filename(include) != "src" ||
      !sys::fs::exists(include + "/Kokkos_Core.hpp"))
    return std::nullopt;
  auto cmake = readRegularFile(root + "/CMakeLists.txt");
  const auto version = cmake ? versionIn((*cmake)->getBuffer()) : std::nullopt;
  if (!version)
    return std::nullopt;
  const std::string mdspan = root + "/tpls/mdspan/include";
  const std::string generated =
      writtenBelow(kept, {{"KokkosCore_config.h",
                           configuration(*version, sys::fs::exists(mdspan))},
                          {"KokkosCore_Config_FwdBackend.hpp",
                           "#include <fwd/Kokkos_Fwd_SERIAL.hpp>\n"},
                          {"KokkosCore_Config_DeclareBackend.hpp",
                           "#include <decl/Kokkos_Declare_SERIAL.hpp>\n"},
                          {"KokkosCore_Config_SetupBackend.hpp", ""},
                          {"KokkosCore_Config_PostInclude.hpp", ""},
                          {"desul/atomics/Config.hpp", ""}});
  if (generated.empty())
    return std::nullopt;
  KokkosInstallation kokkos{
      include.str(), *version, /*forCuda=*/false, {generated}};
  for (const char *folder : {"/containers/src", "/algorithms/src", "/simd/src",
                             "/tpls/desul/include", "/tpls/mdspan/include"})
    if (sys::fs::exists(root + folder))
      kokkos.further.push_back(root + folder);
  return kokkos;
}

} // namespace warplint
