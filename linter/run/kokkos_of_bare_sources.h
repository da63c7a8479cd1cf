// Sources that include Kokkos and that no build compiles, to commands of a CUDA
// build with an installation of Kokkos.
#pragma once
#include "input/command.h"
#include "input/kokkos_installation.h"
#include "input/files_of_projects.h"
#include "run/graph_of_thread.h"
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace warplint {

/// Searches the machine once, if a source needs it. Thread-safe.
class KokkosOfBareSources {
public:
  /// `graphs` and `files` must outlive this object. What CMake generates for a
  /// checkout of Kokkos is written below `folder`; empty: none is taken.
  KokkosOfBareSources(GraphOfThread &graphs, FilesOfProjects &files,
                      std::string folder = "")
      : graphs_(graphs), files_(files), folder_(std::move(folder)) {}

  /// Adds the flags of such a build to a bare command whose source includes
  /// Kokkos, with the one that its flags name, else the one in its project,
  /// else an installed one; changes no other command.
  void addTo(Command &command);

  /// Adds a line on each that was found, or that none was, if a source needed
  /// it.
  void addNote(std::vector<std::string> &notes) const;

private:
  std::optional<KokkosInstallation>
  checkoutFor(const Command &command, llvm::ArrayRef<std::string> named);
  std::optional<KokkosInstallation> search();

  GraphOfThread &graphs_;
  FilesOfProjects &files_;
  const std::string folder_; ///< of generated headers
  std::once_flag once_;
  std::optional<KokkosInstallation> installed_;
  std::mutex mutex_; ///< of what follows
  bool isMissing_ = false;
  std::map<std::string, KokkosInstallation> taken_; ///< by folder
};

} // namespace warplint
