// Sources that no build compiles to commands with the flags that the Makefile
// beside them, or else a CMakeLists.txt, writes out.
#pragma once
#include "input/cmake_flags.h"
#include "input/command.h"
#include "input/files_of_projects.h"
#include "run/graph_of_thread.h"
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warplint {

/// Thread-safe.
class BuildFilesOfBareSources {
public:
  /// Reads the files that sources include with `graphs`.
  explicit BuildFilesOfBareSources(GraphOfThread &graphs) : graphs_(graphs) {}

  /// Adds the flags of the nearest Makefile of a bare CUDA source's project
  /// that the user has not typed; where there is none, those of CMakeLists.txt
  /// and the standard that it asks for. Of the folders, those that have a
  /// header which is not found without them. Changes no other command.
  void addTo(Command &command);

  /// Adds one line on the folders and macros that were taken.
  void addNote(std::vector<std::string> &notes) const;

private:
  struct BuildFiles {
    WrittenFlags flags;
    std::optional<CmakeFlags> cmake; ///< not behind a Makefile
  };

  const BuildFiles &of(const Command &command);
  void addTo(Command &command, const WrittenFlags &flags);
  std::set<std::string> addFoldersTo(Command &command,
                                     const WrittenFlags &flags);

  GraphOfThread &graphs_;
  std::mutex mutex_; ///< of what follows; no file is scanned under it
  std::map<std::string, BuildFiles> known_; ///< by the source's folder; stay
  std::map<std::string, std::set<std::string>> taken_; ///< words, by file
};

} // namespace warplint
