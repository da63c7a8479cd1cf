#include "kept/file_lists.h"
#include "kept/records.h"

namespace warplint {

std::string FileLists::keep(llvm::ArrayRef<std::string> files) {
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
  if (!paths)
    return std::nullopt;
  Key key("files");
  for (const std::string &path : *paths) {
    llvm::StringRef state = files_.of(path);
    if (state.empty())
      return std::nullopt;
    key.add(path).add(state);
  }
  std::lock_guard<std::mutex> lock(mutex_);
  return states_[list] = key.text();
}

} // namespace warplint
