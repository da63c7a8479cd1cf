// Finds an installation of Kokkos for sources that include it and whose command
// names none.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace warplint {

struct KokkosInstallation {
  std::string include;  ///< the folder of Kokkos_Core.hpp
  unsigned version = 0; ///< KOKKOS_VERSION: 30401 is 3.4.1; 0 if unknown
  bool forCuda = false; ///< configured with the CUDA backend

  std::string release() const; ///< "3.4.1"; empty if unknown
};

/// The installation whose headers lie in `include`; none without
/// Kokkos_Core.hpp and the configuration that an installation writes.
std::optional<KokkosInstallation> kokkosIn(llvm::StringRef include);

/// The first one in one of `includes`, folders that a command names.
std::optional<KokkosInstallation>
kokkosAmong(llvm::ArrayRef<std::string> includes);

/// The first one that the environment names or that lies in a usual place:
/// Kokkos_ROOT and its like, CMAKE_PREFIX_PATH, CPATH, the variables of
/// modules, Spack's environment and its installations, and the folders of
/// Debian, of `make install` and of /opt.
std::optional<KokkosInstallation> findKokkos();

} // namespace warplint
