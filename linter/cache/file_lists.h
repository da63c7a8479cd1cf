// Lists of files to names for their current contents.
#pragma once
#include "cache/file_states.h"
#include "cache/store.h"
#include "llvm/ADT/ArrayRef.h"

namespace warplint {

/// The last modification of a file; the beginning of time if there is none, or
/// for a folder, which changes with files that nobody reads.
llvm::sys::TimePoint<> lastModified(llvm::StringRef file);

/// The latest of them.
llvm::sys::TimePoint<> newestOf(llvm::ArrayRef<std::string> files);

/// Thousands of sources read the same headers, so each list is stored once and
/// its files are hashed once in a run. Thread-safe.
class FileLists {
public:
  explicit FileLists(Store store)
      : store_(std::move(store)), here_(store_.folder()), files_(here_) {}

  /// Stores a list and returns its key.
  std::string put(llvm::ArrayRef<std::string> files);
  /// Stores a list also under a key of the caller's, replacing the former one.
  void note(llvm::StringRef key, llvm::ArrayRef<std::string> files) {
    store_.put(key, put(files));
  }

  /// A hash of the contents of the list's files, and of which are missing. None
  /// if there is no such list, or a file has changed during this run.
  std::optional<std::string> state(llvm::StringRef list);
  /// `Look::Once` for files that nothing has been read from yet.
  std::optional<std::string>
  stateOfAll(llvm::ArrayRef<std::string> files,
             FileStates::Look look = FileStates::Look::Again);

  /// As FileStates has it; empty also if nothing is stored.
  std::string statusesOf(llvm::ArrayRef<std::string> files,
                         FileStates::Look look = FileStates::Look::Again) {
    return here_.isEnabled() ? files_.statusesOf(files, look) : "";
  }

  /// The state of the list that was noted under a key; empty if there is none.
  std::optional<std::string> stateOfNoted(llvm::StringRef key) {
    auto list = store_.get(key);
    return list ? state(*list) : "";
  }

  /// The last modification of the list's files; nothing if there is no such
  /// list.
  std::optional<llvm::sys::TimePoint<>> newest(llvm::StringRef list);

  /// The state of a file, as FileStates gives it.
  std::string stateOf(llvm::StringRef file) { return files_.of(file).str(); }

  /// As FileStates has it.
  void wasRead(llvm::StringRef file, llvm::StringRef text,
               llvm::sys::TimePoint<> modified) {
    files_.wasRead(file, text, modified);
  }

private:
  std::optional<std::vector<std::string>> filesOf(llvm::StringRef list) const;

  const Store store_;
  const Store here_; ///< without a server: inodes differ by machine
  FileStates files_;
  std::mutex mutex_;                               ///< of what follows
  llvm::StringMap<std::string> states_;            ///< by list
  llvm::StringMap<llvm::sys::TimePoint<>> newest_; ///< likewise
};

} // namespace warplint
