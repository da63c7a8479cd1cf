#include "input/find_headers.h"
#include "input/database.h"
#include "input/files_below.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"
#include <tuple>

using namespace llvm;
namespace path = llvm::sys::path;

namespace warplint {

namespace {

/// The paths below `root` of files that are named like one of `missing`.
std::vector<std::string> candidates(ArrayRef<MissingHeader> missing,
                                    const std::string &root) {
  StringMap<bool> wanted;
  for (const MissingHeader &header : missing)
    wanted[path::filename(header.name)] = true;
  std::vector<std::string> found;
  forEachFileBelow(root, [&](const sys::fs::directory_entry &file) {
    if (wanted.count(path::filename(file.path())))
      found.push_back(file.path());
  });
  return found;
}

size_t commonLength(StringRef a, StringRef b) {
  return std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
         a.begin();
}

} // namespace

std::vector<std::string> foldersOf(ArrayRef<MissingHeader> missing) {
  std::vector<std::string> folders;
  if (missing.empty())
    return folders;
  const std::vector<std::string> files =
      candidates(missing, projectOf(path::parent_path(missing.front().source)));
  for (const MissingHeader &header : missing) {
    std::vector<StringRef> having;
    for (StringRef file : files)
      if (file.consume_back("/" + header.name))
        having.push_back(file);
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

} // namespace warplint
