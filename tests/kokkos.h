// The Kokkos that tests read, configured for CUDA by headers of our own, and
// the flags of a build with it.
#pragma once
#include "program.h"
#include "test_paths.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include <string>
#include <vector>

namespace warplint {

inline const std::string kokkosStub =
    WARPLINT_SOURCE_DIR "/fixtures/kokkos/stub";

/// The folder of Kokkos_Core.hpp. WARPLINT_KOKKOS names another one than
/// Debian's, configured for CUDA or for the host; where there is none, the
/// stub's serves.
inline std::string findKokkosHeaders() {
  std::vector<std::string> folders = {
      "/usr/include/trilinos", "/usr/include/kokkos", "/usr/local/include"};
  if (auto given = llvm::sys::Process::GetEnv("WARPLINT_KOKKOS"))
    folders = {*given};
  for (const std::string &folder : folders)
    if (llvm::sys::fs::exists(folder + "/Kokkos_Core.hpp"))
      return folder;
  return kokkosStub;
}

/// Said once, so that nobody takes one Kokkos for another.
inline const std::string &kokkosHeaders() {
  static const std::string folder = [] {
    std::string found = findKokkosHeaders();
    llvm::errs() << "Kokkos of these tests: " << found
                 << (found == kokkosStub
                         ? ", a STUB; scripts/test installs the real "
                           "libtrilinos-kokkos-dev"
                         : "")
                 << '\n';
    return found;
  }();
  return folder;
}

/// For what the stub is too small for.
#define NEEDS_REAL_KOKKOS()                                                    \
  if (kokkosHeaders() == kokkosStub)                                           \
  GTEST_SKIP() << "NO KOKKOS: scripts/test installs libtrilinos-kokkos-dev"

/// The compiler flags of a CUDA build.
inline std::vector<std::string> kokkosCudaFlags() {
  return {"-x",
          "cu",
          "-std=c++17",
          "-arch=sm_80",
          "--expt-relaxed-constexpr",
          "--extended-lambda",
          "-DKOKKOS_ENABLE_CXX17",
          "-I" WARPLINT_SOURCE_DIR "/linter/source/shim/kokkos",
          "-I" + kokkosHeaders()};
}

inline bool speaksOfKokkos(llvm::StringRef text) {
  return text.contains("#include <Kokkos_");
}

} // namespace warplint
