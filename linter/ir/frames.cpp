#include "ir/frames.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

namespace warplint {

std::string absolutePath(const llvm::DIFile *file) {
  if (!file)
    return "";
  const llvm::StringRef name = file->getFilename();
  const bool hasDots = name.contains("/.") || name.contains("//");
  if (!hasDots && llvm::sys::path::is_absolute(name))
    return name.str(); // as most are
  llvm::SmallString<256> path(name);
  if (!llvm::sys::path::is_absolute(path)) {
    path = file->getDirectory();
    llvm::sys::path::append(path, file->getFilename());
  }
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

Place placeOf(const llvm::DILocation *location) {
  return {absolutePath(location->getFile()), location->getLine(),
          location->getColumn()};
}

Frames framesOf(const llvm::DILocation *location, const Names &names) {
  Frames result;
  llvm::SmallVector<const llvm::DILocation *, 8> chain;
  for (; location; location = location->getInlinedAt())
    chain.push_back(location);
  size_t user = 0;
  while (user + 1 < chain.size() &&
         !names.isUser(absolutePath(chain[user]->getFile())))
    ++user;
  if (user < chain.size())
    result.place = placeOf(chain[user]);
  // Leaves out the frames of libraries that call the user's code.
  for (size_t i = chain.size(); i > user + 1; --i)
    if (names.isUser(absolutePath(chain[i - 1]->getFile())))
      result.callSites.push_back(placeOf(chain[i - 1]));
  return result;
}

} // namespace warplint
