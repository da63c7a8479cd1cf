// Finds an installation or a checkout of Kokkos for sources that include it and
// whose command names none.
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
  std::vector<std::string> further = {}; ///< folders of a checkout's headers

  std::string release() const; ///< "3.4.1"; empty if unknown
};

/// The installation whose headers lie in `include`; none without
/// Kokkos_Core.hpp and the configuration that an installation writes.
std::optional<KokkosInstallation> kokkosIn(llvm::StringRef include);

/// The first one in one of `includes`, folders that a command names.
std::optional<KokkosInstallation>
kokkosAmong(llvm::ArrayRef<std::string> includes);

/// The Kokkos whose own sources have Kokkos_Core.hpp in `include`, its folder
/// core/src, as its CMake configures it for Serial. What CMake generates is
/// written below `kept`; none if that is empty.
std::optional<KokkosInstallation> kokkosOfCheckout(llvm::StringRef include,
                                                   llvm::StringRef kept);

/// The first one that the environment names or that lies in a usual place:
/// Kokkos_ROOT and its like, CMAKE_PREFIX_PATH, CPATH, the variables of
/// modules, Spack's environment and its installations, and the folders of
/// Debian, of `make install` and of /opt.
std::optional<KokkosInstallation> findKokkos();

} // namespace warplint
