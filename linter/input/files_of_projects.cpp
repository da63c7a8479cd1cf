#include "input/files_of_projects.h"
#include "input/files_below.h"
#include "input/search_flags.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <algorithm>

namespace warplint {

namespace path = llvm::sys::path;

/// The number of folders that two paths begin with alike.
static size_t commonFolders(llvm::StringRef a, llvm::StringRef b) {
  return std::distance(
      path::begin(a),
      std::mismatch(path::begin(a), path::end(a), path::begin(b), path::end(b))
          .first);
}

size_t stepsTo(llvm::StringRef folder, const Command &command) {
  const llvm::StringRef own = path::parent_path(command.source);
  auto depth = [](llvm::StringRef of) {
    return size_t(std::distance(path::begin(of), path::end(of)));
  };
  return depth(folder) + depth(own) - 2 * commonFolders(folder, own);
}

const ProjectFiles &FilesOfProjects::around(const Command &command) {
  const std::string project = projectAround(command);
  std::lock_guard<std::mutex> lock(mutex_);
  return projects_.try_emplace(project, project).first->second;
}

/// Returns the folder whose `header` includes that of each other folder; empty
/// if there is none.
static std::string folderOfForwarder(llvm::StringRef header,
                                     llvm::ArrayRef<llvm::StringRef> folders,
                                     IncludeGraph &includes) {
  auto includesOf = [&](llvm::StringRef from, llvm::StringRef to) {
    return includes.reaches(pathIn(from, header), {}, pathIn(to, header));
  };
  std::string forwarder;
  for (llvm::StringRef folder : folders) {
    if (!llvm::all_of(folders, [&](llvm::StringRef other) {
          return other == folder || includesOf(folder, other);
        }))
      continue;
    if (!forwarder.empty()) // they include each other
      return "";
    forwarder = folder.str();
  }
  return forwarder;
}

std::string FilesOfProjects::nearestWith(llvm::StringRef header,
                                         const Command &command,
                                         IncludeGraph &includes) {
  const ProjectFiles &files = around(command);
  if (!files.isWhole()) // another one of that name may be nearer
    return "";
  const llvm::StringRef own = path::parent_path(command.source);
  std::vector<llvm::StringRef> nearest;
  size_t most = 0;
  for (llvm::StringRef folder : files.foldersWith(header)) {
    const size_t common = commonFolders(folder, own);
    if (common < most)
      continue;
    if (common > most)
      nearest.clear();
    most = common;
    nearest.push_back(folder);
  }
  if (nearest.size() == 1)
    return nearest.front().str();
  return folderOfForwarder(header, nearest, includes);
}

std::vector<AddedFolder> addFoldersOfMissing(
    Command &command, IncludeGraph &includes,
    llvm::function_ref<std::string(const std::string &header)> folderOf) {
  std::vector<std::string> &words = command.arguments;
  std::vector<AddedFolder> added;
  for (const std::string &header : includes.missing(
           command.source, includeFolders(command.directory, words), words)) {
    std::string folder = folderOf(header);
    if (folder.empty() || llvm::is_contained(words, "-I" + folder))
      continue;
    words.insert(words.end() - 1, "-I" + folder); // before the source
    added.push_back({header, std::move(folder)});
  }
  return added;
}

} // namespace warplint
