#include "input/walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <deque>
#include <set>

namespace warplint {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

bool isCudaSource(llvm::StringRef file) {
  return path::extension(file) == ".cu";
}

bool isCxxSource(llvm::StringRef file) {
  return llvm::is_contained({".cpp", ".cc", ".cxx", ".c++", ".C"},
                            path::extension(file));
}

bool isPtxText(llvm::StringRef file) {
  return path::extension(file) == ".ptx";
}

bool isHeader(llvm::StringRef file) {
  return llvm::is_contained(
      {".cuh", ".h", ".hh", ".hpp", ".hxx", ".h++", ".inl", ".inc", ".tpp"},
      path::extension(file));
}

static bool isBuildFolder(llvm::StringRef folder) {
  llvm::SmallString<256> cache(folder);
  path::append(cache, "CMakeCache.txt");
  // CMakeFiles holds the compiler tests of a build inside the source tree.
  return path::filename(folder) == "CMakeFiles" || fs::exists(cache);
}

namespace {
/// Links wait until all real folders are read, so that a file is known by its
/// own name and not by that of a link which happens to sort first.
class Walk {
public:
  FolderContent content;

  void read(llvm::StringRef folder) {
    fs::UniqueID id;
    if (fs::getUniqueID(folder, id) || !seen_.insert(id).second)
      return;
    for (const std::string &entry : entries(folder))
      visit(entry);
  }

  void readLinks() {
    for (; !links_.empty(); links_.pop_front())
      if (!isBuildFolder(links_.front()))
        read(links_.front());
  }

private:
  std::vector<std::string> entries(llvm::StringRef folder) {
    std::vector<std::string> names;
    std::error_code error;
    fs::directory_iterator entry(folder, error), end;
    for (; !error && entry != end; entry.increment(error))
      names.push_back(entry->path());
    if (error)
      content.unreadable.push_back(
          llvm::Twine("'", folder).concat("': " + error.message()).str());
    std::sort(names.begin(), names.end());
    return names;
  }

  void visit(const std::string &entry) {
    if (path::filename(entry).starts_with("."))
      return;
    if (fs::is_directory(entry)) {
      if (fs::is_symlink_file(entry))
        links_.push_back(entry);
      else if (!isBuildFolder(entry))
        read(entry);
    } else if (fs::is_regular_file(entry)) {
      if (isCudaSource(entry) || isCxxSource(entry))
        content.sources.push_back(entry);
      else if (path::extension(entry) == ".cuh")
        ++content.headers;
    }
  }

  std::set<fs::UniqueID> seen_;
  std::deque<std::string> links_;
};
} // namespace

FolderContent walk(llvm::StringRef folder) {
  Walk walk;
  walk.read(folder);
  walk.readLinks();
  return std::move(walk.content);
}

} // namespace warplint
