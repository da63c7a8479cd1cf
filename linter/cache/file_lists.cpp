#include "cache/file_lists.h"
#include "cache/record.h"
#include "llvm/Support/FileSystem.h"

namespace warplint {

using Time = llvm::sys::TimePoint<>;

Time lastModified(llvm::StringRef file) {
  llvm::sys::fs::file_status status;
  return llvm::sys::fs::status(file, status) ||
                 llvm::sys::fs::is_directory(status)
             ? Time()
             : status.getLastModificationTime();
}

Time newestOf(llvm::ArrayRef<std::string> files) {
  Time newest;
  for (const std::string &file : files)
    newest = std::max(newest, lastModified(file));
  return newest;
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

std::optional<std::vector<std::string>>
FileLists::filesOf(llvm::StringRef list) const {
  auto bytes = store_.get(list);
  return bytes ? fromRecord<std::vector<std::string>>(*bytes) : std::nullopt;
}

std::optional<std::string> FileLists::state(llvm::StringRef list) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (auto known = states_.find(list); known != states_.end())
      return known->second;
  }
  auto files = filesOf(list);
  auto all = files ? stateOfAll(*files) : std::nullopt;
  if (!all)
    return std::nullopt;
  std::lock_guard<std::mutex> lock(mutex_);
  return states_[list] = std::move(*all);
}

std::optional<Time> FileLists::newest(llvm::StringRef list) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (auto known = newest_.find(list); known != newest_.end())
      return known->second;
  }
  auto files = filesOf(list);
  if (!files)
    return std::nullopt;
  const Time time = newestOf(*files);
  std::lock_guard<std::mutex> lock(mutex_);
  return newest_[list] = time;
}

std::optional<std::string>
FileLists::stateOfAll(llvm::ArrayRef<std::string> files,
                      FileStates::Look look) {
  // To look at thousands of files takes a third of the time of reading them.
  constexpr size_t worthStoring = 16;
  const std::string statuses =
      files.size() < worthStoring ? "" : statusesOf(files, look);
  if (!statuses.empty())
    if (auto stored = here_.get(statuses))
      return stored;
  files_.lookAt(files);
  Key key("files");
  for (const std::string &path : files) {
    const llvm::StringRef state = files_.of(path);
    if (state.empty())
      return std::nullopt;
    key.add(path).add(state);
  }
  if (!statuses.empty() &&
      statusesOf(files, FileStates::Look::Again) == statuses)
    here_.put(statuses, key.text());
  return key.text();
}

} // namespace warplint
