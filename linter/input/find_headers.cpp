#include "input/find_headers.h"
#include "input/buffers.h"
#include "input/database.h"
#include "input/files_below.h"
#include "input/generated_header.h"
#include "input/search_flags.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <tuple>

using namespace llvm;
namespace path = llvm::sys::path;

namespace warplint {

ProjectFiles::ProjectFiles(StringRef project) {
  isWhole_ =
      forEachFileBelow(project, [&](const sys::fs::directory_entry &file) {
        paths_[path::filename(file.path())].push_back(file.path());
        folders_.insert(path::filename(path::parent_path(file.path())));
        if (!headerOfTemplate(path::filename(file.path())).empty())
          templates_.push_back(file.path());
      });
  folders_.insert(path::filename(project));
}

std::vector<StringRef> ProjectFiles::foldersWith(StringRef header) const {
  std::vector<StringRef> folders;
  auto named = paths_.find(path::filename(header));
  if (named != paths_.end())
    for (StringRef file : named->second)
      if (file.consume_back(("/" + header).str()))
        folders.push_back(file);
  return folders;
}

static size_t commonLength(StringRef a, StringRef b) {
  return std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
         a.begin();
}

std::vector<std::string> foldersOf(ArrayRef<MissingHeader> missing) {
  std::vector<std::string> folders;
  if (missing.empty())
    return folders;
  const ProjectFiles files(
      projectOf(path::parent_path(missing.front().source)));
  for (const MissingHeader &header : missing) {
    const std::vector<StringRef> having = files.foldersWith(header.name);
    if (having.empty())
      continue;
    // The nearest, then the first by its name: files come in any order.
    auto rank = [&](StringRef folder) {
      return std::tuple(-ptrdiff_t(commonLength(folder, header.source)),
                        folder.size(), folder);
    };
    const StringRef nearest = *min_element(
        having, [&](StringRef a, StringRef b) { return rank(a) < rank(b); });
    if (!is_contained(folders, nearest))
      folders.push_back(nearest.str());
  }
  return folders;
}

std::vector<std::string> emptySubmodules(StringRef project) {
  std::vector<std::string> folders;
  auto text = readText(pathIn(project, ".gitmodules"), {});
  if (!text)
    return folders;
  for (StringRef rest = text->getBuffer(); !rest.empty();) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    auto [name, folder] = line.split('=');
    folder = folder.trim().trim('"');
    if (name.trim() != "path" || folder.empty())
      continue;
    std::error_code error;
    const sys::fs::directory_iterator first(pathIn(project, folder), error);
    if (error || first == sys::fs::directory_iterator())
      folders.push_back(folder.str());
  }
  return folders;
}

} // namespace warplint
