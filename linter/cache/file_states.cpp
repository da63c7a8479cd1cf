#include "cache/file_states.h"
#include "cache/store.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

namespace warplint {

std::string FileStates::look(llvm::StringRef path) const {
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status))
    return "none";
  if (llvm::sys::fs::is_directory(status))
    return "folder";
  // Reading a pipe could block.
  if (!llvm::sys::fs::is_regular_file(status))
    return "other";
  if (status.getLastModificationTime() >= began_)
    return "";
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  return file ? contentHash((*file)->getBuffer()) : "none";
}

std::optional<llvm::StringRef> FileStates::known(llvm::StringRef path) {
  std::lock_guard<std::mutex> lock(mutex_);
  auto state = states_.find(path);
  if (state == states_.end() || !state->second)
    return std::nullopt;
  return *state->second;
}

llvm::StringRef FileStates::of(llvm::StringRef path) {
  if (auto before = known(path))
    return *before;
  std::string state = look(path);
  std::lock_guard<std::mutex> lock(mutex_);
  // The first state counts: all callers must see the same one.
  std::optional<std::string> &place = states_[path];
  if (!place)
    place = std::move(state);
  return *place;
}

void FileStates::lookAt(llvm::ArrayRef<std::string> paths) {
  for (const std::string &path : paths) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (!states_.try_emplace(path).second)
        continue;
    }
    of(path);
  }
}

} // namespace warplint
