// Sources that no build compiles to commands with the flags that the Makefile
// beside them, or else a CMakeLists.txt, writes out.
#pragma once
#include "input/command.h"
#include "input/makefile_flags.h"
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace warplint {

/// Thread-safe.
class BuildFilesOfBareSources {
public:
  /// Adds the flags of the nearest Makefile of a bare CUDA source's project
  /// that the user has not typed; where there is none, the standard that CMake
  /// is asked for. Changes no other command.
  void addTo(Command &command);

  /// Adds one line on the folders and macros that were taken.
  void addNote(std::vector<std::string> &notes) const;

private:
  const WrittenFlags &of(const Command &command);

  std::mutex mutex_;                           ///< of what follows
  std::map<std::string, WrittenFlags> known_; ///< by the source's folder
  std::map<std::string, std::set<std::string>> taken_; ///< words, by file
};

} // namespace warplint
