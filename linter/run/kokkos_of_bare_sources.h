// Sources that include Kokkos and that no build compiles, to commands of a CUDA
// build with an installation of Kokkos.
#pragma once
#include "input/command.h"
#include "input/kokkos_installation.h"
#include "run/graph_of_thread.h"
#include <atomic>
#include <mutex>
#include <optional>

namespace warplint {

/// Searches the machine once, if a source needs it. Thread-safe.
class KokkosOfBareSources {
public:
  /// `graphs` must outlive this object.
  explicit KokkosOfBareSources(GraphOfThread &graphs) : graphs_(graphs) {}

  /// Adds the flags of such a build to a bare command whose source includes
  /// Kokkos; changes no other command.
  void addTo(Command &command);

  /// Adds one line on what was found, or that nothing was, if a source needed
  /// it.
  void addNote(std::vector<std::string> &notes) const;

private:
  const std::optional<KokkosInstallation> &search();

  GraphOfThread &graphs_;
  std::atomic<bool> isNeeded_ = false;
  std::once_flag once_;
  std::optional<KokkosInstallation> found_;
};

} // namespace warplint
