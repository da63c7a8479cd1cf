#include "cache/file_lists.h"
#include "cache/record.h"
#include "llvm/Support/FileSystem.h"

namespace warplint {

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

std::optional<std::string>
FileLists::stateOfAll(llvm::ArrayRef<std::string> files) {
  files_.lookAt(files);
  Key key("files");
  for (const std::string &path : files) {
    llvm::StringRef state = files_.of(path);
    if (state.empty())
      return std::nullopt;
    key.add(path).add(state);
  }
  return key.text();
}

/// From this size on, looking up the stored hash is faster than hashing.
constexpr uint64_t worthStoringHash = 1 << 20; // bytes

std::string FileLists::stateOfProgram(llvm::StringRef file) {
  std::lock_guard<std::mutex> lock(programMutex_);
  auto [place, isNew] = programs_.try_emplace(file);
  if (!isNew)
    return place->second;
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(file, status) ||
      status.getSize() < worthStoringHash)
    return place->second = files_.of(file).str();
  const llvm::sys::fs::UniqueID id = status.getUniqueID();
  const auto changed = status.getLastModificationTime().time_since_epoch();
  const std::string key = Key("program")
                              .add(file)
                              .add(status.getSize())
                              .add(uint64_t(changed.count()))
                              .add(id.getDevice())
                              .add(id.getFile())
                              .text();
  const Store here(
      store_.folder()); // not the remote one: inodes differ by machine
  if (auto noted = here.get(key))
    return place->second = *noted;
  place->second = files_.of(file).str();
  if (!place->second.empty())
    here.put(key, place->second);
  return place->second;
}

} // namespace warplint
