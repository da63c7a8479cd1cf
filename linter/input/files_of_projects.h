// The files of the projects around sources, each project listed once.
#pragma once
#include "input/command.h"
#include "input/find_headers.h"
#include "input/include_graph.h"
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace warplint {

/// Thread-safe.
class FilesOfProjects {
public:
  /// Returns the folder of the command's project that `header`, as an #include
  /// spells it, is found from: the one nearest to the source. Of several that
  /// are as near, the one whose header includes those of all others, as
  /// include/heat.h does for include/heat/heat.h. Empty if there is none, if
  /// nobody knows which is meant, or if the project cannot be listed whole.
  std::string nearestWith(llvm::StringRef header, const Command &command,
                          IncludeGraph &includes);

  /// The files of the command's project.
  const ProjectFiles &around(const Command &command);

private:
  std::mutex mutex_; ///< of what follows
  std::map<std::string, ProjectFiles> projects_;
};

/// Returns the number of steps, up and down, from the folder of the command's
/// source to another one.
size_t stepsTo(llvm::StringRef folder, const Command &command);

struct AddedFolder {
  std::string header; ///< as an #include spells it
  std::string folder;
};

/// Adds '-I' for the folder that `folderOf` gives for each header that the
/// command's source includes where no condition hides it, and that its flags do
/// not lead to; an empty one is left out. Returns what is new: a header that is
/// found may lack others.
std::vector<AddedFolder> addFoldersOfMissing(
    Command &command, IncludeGraph &includes,
    llvm::function_ref<std::string(const std::string &header)> folderOf);

/// The number of times that it is worth calling.
inline constexpr unsigned mostMissingLevels = 8;

} // namespace warplint
