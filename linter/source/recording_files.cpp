#include "source/recording_files.h"
#include "base/regular_file.h"
#include "llvm/ADT/SmallString.h"

namespace warplint {

void RecordingFiles::note(const llvm::Twine &path) {
  llvm::SmallString<256> absolute;
  path.toVector(absolute);
  if (!makeAbsolute(absolute))
    asked_.insert(absolute.str().str());
}

llvm::ErrorOr<llvm::vfs::Status>
RecordingFiles::status(const llvm::Twine &path) {
  note(path);
  return ProxyFileSystem::status(path);
}

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
RecordingFiles::openFileForRead(const llvm::Twine &path) {
  note(path);
  return ProxyFileSystem::openFileForRead(path);
}

bool RecordingFiles::exists(const llvm::Twine &path) {
  note(path);
  return ProxyFileSystem::exists(path);
}

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
RegularFiles::openFileForRead(const llvm::Twine &path) {
  llvm::SmallString<256> absolute;
  path.toVector(absolute);
  if (!makeAbsolute(absolute) && !mayBeRead(absolute))
    return noRegularFile();
  return ProxyFileSystem::openFileForRead(path);
}

} // namespace warplint
