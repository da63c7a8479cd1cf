#include "cache/file_lists.h"
#include "cache/record.h"
#include <sys/stat.h>

namespace warplint {

/// The status of a regular file, if looking up its stored hash is faster than
/// hashing it.
static std::optional<struct stat> largeFile(const std::string &file) {
  constexpr uint64_t worthStoringHash = 1 << 20; // bytes
  struct stat status;
  if (stat(file.c_str(), &status) || !S_ISREG(status.st_mode) ||
      uint64_t(status.st_size) < worthStoringHash)
    return std::nullopt;
  return status;
}

std::string FileLists::put(llvm::ArrayRef<std::string> files) {
  const std::string bytes = toRecord(files.vec());
  const std::string key = Key("list").add(bytes).text();
  bool isKnown;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    isKnown = states_.count(key);
  }
  if (!isKnown)
    store_.put(key, bytes);
  return key;
}

std::optional<std::string> FileLists::state(llvm::StringRef list) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (auto known = states_.find(list); known != states_.end())
      return known->second;
  }
  std::optional<std::string> bytes = store_.get(list);
  auto paths =
      bytes ? fromRecord<std::vector<std::string>>(*bytes) : std::nullopt;
  auto all = paths ? stateOfAll(*paths) : std::nullopt;
  if (!all)
    return std::nullopt;
  std::lock_guard<std::mutex> lock(mutex_);
  return states_[list] = std::move(*all);
}

std::optional<std::string> FileLists::knownState(llvm::StringRef file) {
  if (auto small = files_.known(file))
    return small->str();
  std::lock_guard<std::mutex> lock(largeMutex_);
  auto large = large_.find(file);
  if (large == large_.end())
    return std::nullopt;
  return large->second;
}

std::optional<std::string>
FileLists::stateOfAll(llvm::ArrayRef<std::string> files) {
  std::vector<std::string> small;
  for (const std::string &path : files)
    if (!knownState(path) && !largeFile(path))
      small.push_back(path);
  files_.lookAt(small);
  Key key("files");
  for (const std::string &path : files) {
    const std::string state = stateOf(path);
    if (state.empty())
      return std::nullopt;
    key.add(path).add(state);
  }
  return key.text();
}

std::string FileLists::stateOf(const std::string &file) {
  if (auto known = knownState(file))
    return std::move(*known);
  const std::optional<struct stat> large = largeFile(file);
  if (!large)
    return files_.of(file).str();
  const struct stat &status = *large;
  std::lock_guard<std::mutex> lock(largeMutex_);
  auto [place, isNew] = large_.try_emplace(file);
  if (!isNew)
    return place->second;
  // No program can set the time of the last change of status, which writing
  // sets.
  Key key("large file");
  key.add(file).add(uint64_t(status.st_size));
  for (const timespec &time : {status.st_mtim, status.st_ctim})
    key.add(uint64_t(time.tv_sec)).add(uint64_t(time.tv_nsec));
  key.add(uint64_t(status.st_dev)).add(uint64_t(status.st_ino));
  const Store here(
      store_.folder()); // not the remote one: inodes differ by machine
  if (auto noted = here.get(key.text()))
    return place->second = *noted;
  place->second = files_.of(file).str();
  if (!place->second.empty())
    here.put(key.text(), place->second);
  return place->second;
}

} // namespace warplint
