#include "base/folders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warplint {

std::string currentFolder() {
  SmallString<256> folder;
  sys::fs::current_path(folder);
  return folder.str().str();
}

std::string folderOf(StringRef file) {
  SmallString<256> path(file);
  sys::fs::make_absolute(path);
  sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return sys::path::parent_path(path).str();
}

bool isInstalledForPython(StringRef path) {
  return any_of(make_range(sys::path::begin(path), sys::path::end(path)),
                [](StringRef part) {
                  return part == "site-packages" || part == "dist-packages";
                });
}

} // namespace warplint
