#include "input/walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <deque>
#include <set>
#include <utility>

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

bool isPtxText(llvm::StringRef file) { return path::extension(file) == ".ptx"; }

bool isHeader(llvm::StringRef file) {
  return llvm::is_contained({".cuh", ".h", ".hh", ".hpp", ".hxx", ".h++", ".H",
                             ".inl", ".inc", ".tpp"},
                            path::extension(file));
}

static bool isBuildFolder(llvm::StringRef folder) {
  llvm::SmallString<256> cache(folder);
  path::append(cache, "CMakeCache.txt");
  // CMakeFiles holds the compiler tests of a build inside the source tree.
  return path::filename(folder) == "CMakeFiles" || fs::exists(cache);
}

/// Returns true for Kokkos, which projects also keep as a copy.
static bool isKokkos(llvm::StringRef folder) {
  llvm::SmallString<256> header(folder);
  path::append(header, "core", "src", "Kokkos_Core.hpp");
  return fs::exists(header);
}

/// Returns true for "unit_test", "perf_tests", "examples", "benchmark".
static bool isOfTests(llvm::StringRef folder) {
  const std::string name = path::filename(folder).lower();
  llvm::StringRef stem(name);
  stem.consume_back("s");
  const llvm::StringRef last = stem.substr(stem.find_last_of("_-") + 1);
  return llvm::is_contained(
      {"test", "testing", "unittest", "example", "benchmark", "tutorial"},
      last);
}

namespace {
/// Reads real folders before links, so that a file gets its own name and not
/// that of a link that sorts first.
class Walk {
public:
  FolderContent content;

  void read(llvm::StringRef folder) {
    fs::UniqueID id;
    if (fs::getUniqueID(folder, id) || !seen_.insert(id).second)
      return;
    for (const fs::directory_entry &entry : entries(folder))
      visit(entry);
  }

  void readLinks() {
    for (; !links_.empty(); links_.pop_front())
      if (!isBuildFolder(links_.front()))
        read(links_.front());
  }

private:
  std::vector<fs::directory_entry> entries(llvm::StringRef folder) {
    std::vector<fs::directory_entry> entries;
    std::error_code error;
    fs::directory_iterator entry(folder, error), end;
    for (; !error && entry != end; entry.increment(error))
      entries.push_back(*entry);
    if (error)
      content.unreadable.push_back(
          llvm::Twine("'", folder).concat("': " + error.message()).str());
    llvm::sort(entries, [](const auto &a, const auto &b) {
      return a.path() < b.path();
    });
    return entries;
  }

  /// Reads a folder, or counts the sources of a library's tests.
  void readBelow(const std::string &folder) {
    const std::string around = library_;
    if (isKokkos(folder))
      library_ = folder;
    if (library_.empty() || !isOfTests(folder)) {
      read(folder);
    } else {
      const std::string library = std::exchange(library_, "");
      FolderContent before = std::exchange(content, {});
      std::deque<std::string> links = std::exchange(links_, {});
      read(folder);
      if (!content.sources.empty())
        before.testsOf[library] += content.sources.size();
      content = std::move(before);
      links_ = std::move(links);
    }
    library_ = around;
  }

  /// Resolves links. Most file systems give the type of other entries with
  /// their name.
  static fs::file_type typeOf(const fs::directory_entry &entry) {
    const fs::file_type type = entry.type();
    return type == fs::file_type::symlink_file ? fs::get_file_type(entry.path())
                                               : type;
  }

  void visit(const fs::directory_entry &there) {
    const std::string &entry = there.path();
    if (path::filename(entry).starts_with("."))
      return;
    const fs::file_type type = typeOf(there);
    if (type == fs::file_type::directory_file) {
      if (fs::is_symlink_file(entry))
        links_.push_back(entry);
      else if (!isBuildFolder(entry))
        readBelow(entry);
    } else if (type == fs::file_type::regular_file) {
      if (isCudaSource(entry) || isCxxSource(entry))
        content.sources.push_back(entry);
      else if (path::extension(entry) == ".cuh")
        content.headers.push_back(entry);
      else if (isHeader(entry))
        content.others.push_back(entry);
    }
  }

  std::string library_; ///< the copy of Kokkos that is read; empty: none
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
