// The real Kokkos, for tests that read it or have nvcc judge it: its headers,
// configured for CUDA by headers of our own.
#pragma once
#include "program.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include <string>
#include <vector>

namespace warplint {

/// The folder of Kokkos_Core.hpp, empty if there is none.
inline std::string kokkosHeaders() {
  std::vector<std::string> folders = {
      "/usr/include/trilinos", "/usr/include/kokkos", "/usr/local/include"};
  if (auto given = llvm::sys::Process::GetEnv("Kokkos_ROOT"))
    folders.insert(folders.begin(), *given + "/include");
  for (const std::string &folder : folders)
    if (llvm::sys::fs::exists(folder + "/Kokkos_Core.hpp"))
      return folder;
  return "";
}

#define NEEDS_KOKKOS()                                                         \
  if (kokkosHeaders().empty())                                                 \
  GTEST_SKIP() << "no Kokkos: scripts/setup installs libtrilinos-kokkos-dev"

/// What a build with CUDA gives the compiler.
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
