// Sources that include Kokkos and that no build compiles, to commands of a CUDA
// build with an installation of Kokkos.
#pragma once
#include "input/buffers.h"
#include "input/command.h"
#include "input/include_graph.h"
#include "input/kokkos_installation.h"
#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

namespace warplint {

/// Searches the machine once, if a source needs it. Thread-safe.
class KokkosOfBareSources {
public:
  /// `buffers` must outlive this object. `wasRead` is called for each file that
  /// is searched, from any thread.
  KokkosOfBareSources(const Buffers &buffers, WasRead wasRead)
      : buffers_(buffers), wasRead_(std::move(wasRead)) {}

  /// Adds the flags of such a build to a bare command whose source includes
  /// Kokkos; changes no other command.
  void addTo(Command &command);

  /// Adds one line on what was found, or that nothing was, if a source needed
  /// it.
  void addNote(std::vector<std::string> &notes) const;

private:
  const std::optional<KokkosInstallation> &search();
  IncludeGraph &graphOfThread();

  const Buffers &buffers_;
  const WasRead wasRead_;
  std::mutex mutex_; ///< of what follows
  /// Sources share their headers; a scan by one thread makes no other wait.
  std::map<std::thread::id, IncludeGraph> graphs_;
  std::atomic<bool> isNeeded_ = false;
  std::once_flag once_;
  std::optional<KokkosInstallation> found_;
};

} // namespace warplint
