// The files of the projects around sources, each project listed once.
#pragma once
#include "input/command.h"
#include "input/find_headers.h"
#include <map>
#include <mutex>
#include <string>

namespace warplint {

/// Thread-safe.
class FilesOfProjects {
public:
  /// Returns the folder of the command's project that `header`, as an #include
  /// spells it, is found from: the one nearest to the source. Empty if there is
  /// none, if two are as near, since nobody knows which is meant, or if the
  /// project cannot be listed whole.
  std::string nearestWith(llvm::StringRef header, const Command &command);

private:
  const ProjectFiles &of(const std::string &project);

  std::mutex mutex_; ///< of what follows
  std::map<std::string, ProjectFiles> projects_;
};

} // namespace warplint
