#include "cache/file_states.h"
#include "base/regular_file.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <sys/stat.h>

namespace warplint {

/// Adds what differs after any change of a file. No program can set the time of
/// the last change of status, which writing sets.
static void add(llvm::StringRef path, const struct stat &status, Key &key) {
  key.add(path).add(uint64_t(status.st_size));
  for (const timespec &time : {status.st_mtim, status.st_ctim})
    key.add(uint64_t(time.tv_sec)).add(uint64_t(time.tv_nsec));
  key.add(uint64_t(status.st_dev)).add(uint64_t(status.st_ino));
}

std::string FileStates::statusOf(const std::string &path) const {
  struct stat status;
  if (stat(path.c_str(), &status))
    return "none";
  // Of a folder, as of a device, only that it is there counts.
  if (!S_ISREG(status.st_mode))
    return std::to_string(status.st_mode & S_IFMT);
  // File systems count time in steps of up to a second.
  const auto latest = began_ - std::chrono::seconds(1);
  for (const timespec &time : {status.st_mtim, status.st_ctim})
    if (llvm::sys::toTimePoint(time.tv_sec, time.tv_nsec) >= latest)
      return "";
  Key key("file by status");
  add(path, status, key);
  return key.text();
}

std::string FileStates::knownStatusOf(const std::string &path) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (auto known = statuses_.find(path); known != statuses_.end())
      return known->second;
  }
  std::string status = statusOf(path);
  std::lock_guard<std::mutex> lock(mutex_);
  return statuses_.try_emplace(path, std::move(status)).first->second;
}

std::string FileStates::statusesOf(llvm::ArrayRef<std::string> paths,
                                   Look look) {
  Key key("files by status");
  for (const std::string &path : paths) {
    const std::string status =
        look == Look::Again ? statusOf(path) : knownStatusOf(path);
    if (status.empty())
      return "";
    key.add(path).add(status);
  }
  return key.text();
}

std::string FileStates::look(llvm::StringRef path) const {
  llvm::SmallString<256> name(path);
  struct stat status;
  if (stat(name.c_str(), &status))
    return "none";
  if (S_ISDIR(status.st_mode))
    return "folder";
  // Reading a pipe could block.
  if (!S_ISREG(status.st_mode))
    return "other";
  auto hashed = [&]() -> std::string {
    if (llvm::sys::toTimePoint(status.st_mtim.tv_sec, status.st_mtim.tv_nsec) >=
        began_)
      return "";
    auto file =
        readSmallFile(name, status.st_size, /*needsNullTerminator=*/false);
    return file ? contentHash((*file)->getBuffer()) : "none";
  };
  constexpr uint64_t worthStoringHash = 1 << 20; // bytes
  if (uint64_t(status.st_size) < worthStoringHash)
    return hashed();
  Key large("large file");
  add(path, status, large);
  const std::string key = large.text();
  if (auto stored = here_.get(key))
    return *stored;
  std::string state = hashed();
  if (!state.empty())
    here_.put(key, state);
  return state;
}

std::optional<llvm::StringRef> FileStates::known(llvm::StringRef path) {
  std::lock_guard<std::mutex> lock(mutex_);
  auto state = states_.find(path);
  if (state == states_.end() || !state->second)
    return std::nullopt;
  return *state->second;
}

llvm::StringRef FileStates::put(llvm::StringRef path, std::string state) {
  std::lock_guard<std::mutex> lock(mutex_);
  // The first state counts: all callers must see the same one.
  std::optional<std::string> &place = states_[path];
  if (!place)
    place = std::move(state);
  return *place;
}

llvm::StringRef FileStates::of(llvm::StringRef path) {
  if (auto before = known(path))
    return *before;
  return put(path, look(path));
}

void FileStates::wasRead(llvm::StringRef path, llvm::StringRef text,
                         llvm::sys::TimePoint<> modified) {
  if (!known(path))
    put(path, modified >= began_ ? "" : contentHash(text));
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
