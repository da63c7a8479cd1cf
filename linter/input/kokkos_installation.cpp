#include "input/kokkos_installation.h"
#include "base/regular_file.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace warplint {

std::string KokkosInstallation::release() const {
  if (!version)
    return "";
  return std::to_string(version / 10'000) + "." +
         std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

/// The number behind `#define KOKKOS_VERSION`.
static unsigned versionIn(StringRef config) {
  unsigned version = 0;
  while (!config.empty()) {
    StringRef line;
    std::tie(line, config) = config.split('\n');
    line = line.ltrim();
    if (!line.consume_front("#"))
      continue;
    line = line.ltrim();
    if (line.consume_front("define") && (line = line.ltrim(), true) &&
        line.consume_front("KOKKOS_VERSION") && !line.ltrim().empty() &&
        isSpace(line.front()) && !line.ltrim().consumeInteger(10, version))
      return version;
  }
  return 0;
}

static bool defines(StringRef config, StringRef macro) {
  for (StringRef line : split(config, '\n')) {
    line = line.trim();
    if (line.consume_front("#") && (line = line.ltrim(), true) &&
        line.consume_front("define") && line.trim() == macro)
      return true;
  }
  return false;
}

std::optional<KokkosInstallation> kokkosIn(StringRef include) {
  if (!sys::fs::exists(include + "/Kokkos_Core.hpp"))
    return std::nullopt;
  auto config = readRegularFile((include + "/KokkosCore_config.h").str());
  if (!config)
    return std::nullopt; // the library's own sources, not an installation
  const StringRef text = (*config)->getBuffer();
  return KokkosInstallation{include.str(), versionIn(text),
                            defines(text, "KOKKOS_ENABLE_CUDA")};
}

std::optional<KokkosInstallation> kokkosAmong(ArrayRef<std::string> includes) {
  for (const std::string &include : includes)
    if (auto found = kokkosIn(include))
      return found;
  return std::nullopt;
}

static std::string environment(StringRef name) {
  return sys::Process::GetEnv(name).value_or("");
}

/// The folders of a variable such as CMAKE_PREFIX_PATH.
static std::vector<std::string> foldersOf(StringRef variable) {
  const std::string text = environment(variable);
  std::vector<std::string> folders;
  for (StringRef folder : split(text, sys::EnvPathSeparator))
    if (!folder.empty())
      folders.push_back(folder.str());
  return folders;
}

/// `prefix` is where a package is installed, or its folder of headers.
static std::optional<KokkosInstallation> kokkosBelow(StringRef prefix) {
  if (prefix.empty())
    return std::nullopt;
  for (StringRef include :
       {"/include", "/include/kokkos", "/include/trilinos", ""})
    if (auto found = kokkosIn((prefix + include).str()))
      return found;
  return std::nullopt;
}

/// Kokkos_DIR is the folder of its CMake files: PREFIX/lib/cmake/Kokkos.
static std::string prefixOfCMake(StringRef folder) {
  for (int level = 0; level < 3; ++level)
    folder = sys::path::parent_path(folder);
  return folder.str();
}

/// The installations of Kokkos below Spack's own folder, the newest name last:
/// opt/spack/PLATFORM/COMPILER/kokkos-VERSION-HASH, or without COMPILER.
static std::vector<std::string> installedBySpack(StringRef root) {
  std::vector<std::string> found;
  std::error_code error;
  for (sys::fs::recursive_directory_iterator entry(root + "/opt/spack", error),
       end;
       !error && entry != end; entry.increment(error)) {
    const StringRef name = sys::path::filename(entry->path());
    const bool isKokkos =
        name.starts_with("kokkos-") && name.size() > 7 && isDigit(name[7]);
    if (isKokkos)
      found.push_back(entry->path());
    if (isKokkos || entry.level() >= 2 || name.starts_with("."))
      entry.no_push();
  }
  sort(found);
  return found;
}

std::optional<KokkosInstallation> findKokkos() {
  std::vector<std::string> prefixes;
  // The last ones are of modules: EasyBuild's, OLCF's and TACC's.
  for (const char *variable :
       {"Kokkos_ROOT", "KOKKOS_ROOT", "KOKKOS_PATH", "KOKKOS_HOME",
        "Trilinos_ROOT", "EBROOTKOKKOS", "OLCF_KOKKOS_ROOT", "TACC_KOKKOS_DIR"})
    prefixes.push_back(environment(variable));
  for (const char *variable : {"Kokkos_DIR", "KOKKOS_DIR"}) {
    const std::string folder = environment(variable);
    prefixes.insert(prefixes.end(), {prefixOfCMake(folder), folder});
  }
  for (const char *variable :
       {"CMAKE_PREFIX_PATH", "CPATH", "CPLUS_INCLUDE_PATH"})
    append_range(prefixes, foldersOf(variable));
  if (const std::string spack = environment("SPACK_ENV"); !spack.empty())
    prefixes.push_back(spack + "/.spack-env/view");
  if (const std::string spack = environment("SPACK_ROOT"); !spack.empty()) {
    const std::vector<std::string> installed = installedBySpack(spack);
    prefixes.insert(prefixes.end(), installed.rbegin(), installed.rend());
  }
  for (const char *usual : {"/usr/local", "/usr", "/opt/kokkos"})
    prefixes.push_back(usual);
  for (const std::string &prefix : prefixes)
    if (auto found = kokkosBelow(prefix))
      return found;
  return std::nullopt;
}

} // namespace warplint
