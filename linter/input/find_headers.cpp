#include "input/find_headers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <tuple>

using namespace llvm;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace warplint {

namespace {

std::string repositoryOf(StringRef source) {
  const StringRef folder = path::parent_path(source);
  for (StringRef at = folder; !at.empty(); at = path::parent_path(at)) {
    SmallString<256> git(at);
    path::append(git, ".git");
    if (fs::exists(git))
      return at.str();
  }
  return folder.str();
}

/// The paths below `root` of files that are named like one of `missing`.
std::vector<std::string> candidates(ArrayRef<MissingHeader> missing,
                                    const std::string &root) {
  constexpr unsigned most = 50'000;
  StringMap<bool> wanted;
  for (const MissingHeader &header : missing)
    wanted[path::filename(header.name)] = true;
  std::vector<std::string> found;
  unsigned seen = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(root, error,
                                              /*follow_symlinks=*/false),
       end;
       entry != end && !error && ++seen <= most; entry.increment(error)) {
    const StringRef name = path::filename(entry->path());
    if (name.starts_with("."))
      entry.no_push();
    else if (wanted.count(name) && entry->type() == fs::file_type::regular_file)
      found.push_back(entry->path());
  }
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
      candidates(missing, repositoryOf(missing.front().source));
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
