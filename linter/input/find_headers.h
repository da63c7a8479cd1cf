// Headers that were not found, to the folders of the project that have them.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <string>
#include <vector>

namespace warplint {

/// The files of a project, by their names.
class ProjectFiles {
public:
  explicit ProjectFiles(llvm::StringRef project);

  /// False if the project is too large to be listed, or a part of it
  /// unreadable.
  bool isWhole() const { return isWhole_; }
  /// The folders that `header`, as an #include spells it, is found from, in any
  /// order.
  std::vector<llvm::StringRef> foldersWith(llvm::StringRef header) const;
  /// True if the project has a folder of that name, or is one.
  bool hasFolder(llvm::StringRef name) const { return folders_.contains(name); }
  /// The paths of the templates of generated headers, in any order.
  const std::vector<std::string> &templates() const { return templates_; }

private:
  llvm::StringMap<std::vector<std::string>> paths_; ///< by name
  llvm::StringSet<> folders_; ///< the names of those that hold files
  std::vector<std::string> templates_;
  bool isWhole_ = false;
};

struct MissingHeader {
  std::string source; ///< absolute path
  std::string name;   ///< as its #include spells it: "solver/step.h"
};

/// The folders that '-I' could name so that the headers are found, each once,
/// in the order of the headers. Looks into the project of the first source. Of
/// several folders with a header, the one nearest to the source counts.
std::vector<std::string> foldersOf(llvm::ArrayRef<MissingHeader> missing);

/// The folders of git's submodules below `project`, as .gitmodules names them,
/// that hold nothing: a clone without --recursive leaves them so.
std::vector<std::string> emptySubmodules(llvm::StringRef project);

} // namespace warplint
