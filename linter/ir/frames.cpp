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

const Names::File &Names::file(const llvm::DIFile *file) const {
  auto [known, isNew] = files_.try_emplace(file);
  if (isNew) {
    known->second.path = absolutePath(file);
    known->second.isUser = isUser(known->second.path);
  }
  return known->second;
}

Place placeOf(const llvm::DILocation *location, const Names &names) {
  return {names.file(location->getFile()).path, location->getLine(),
          location->getColumn()};
}

/// Of an implicit copy of an object: it stands where its class does.
static bool isWrittenByCompiler(const llvm::DILocation &location) {
  const llvm::DISubprogram *function = location.getScope()->getSubprogram();
  return function && function->isArtificial();
}

Frames framesOf(const llvm::DILocation *location, const Names &names) {
  Frames result;
  llvm::SmallVector<const llvm::DILocation *, 8> chain;
  for (; location; location = location->getInlinedAt())
    chain.push_back(location);
  size_t user = 0;
  while (user + 1 < chain.size() &&
         (!names.file(chain[user]->getFile()).isUser ||
          isWrittenByCompiler(*chain[user])))
    ++user;
  if (user < chain.size())
    result.place = placeOf(chain[user], names);
  // Leaves out the frames of libraries that call the user's code.
  for (size_t i = chain.size(); i > user + 1; --i)
    if (names.file(chain[i - 1]->getFile()).isUser)
      result.callSites.push_back(placeOf(chain[i - 1], names));
  return result;
}

} // namespace warplint
