// Lists of files to what is in them now.
#pragma once
#include "kept/file_states.h"
#include "kept/store.h"
#include "llvm/ADT/ArrayRef.h"

namespace warplint {

/// For any number of threads. Thousands of sources read the same headers, so a
/// list is kept once, and looked at once in a run.
class FileLists {
public:
  explicit FileLists(Store store) : store_(std::move(store)) {}

  /// Returns the key that the list is kept under.
  std::string keep(llvm::ArrayRef<std::string> files);
  /// Also under a key of the caller's, in place of what was noted there.
  void note(llvm::StringRef key, llvm::ArrayRef<std::string> files) {
    store_.put(key, keep(files));
  }

  /// A name for the contents of its files, and for what is not there. Nothing
  /// if there is no such list, or a file was changed while this run was under
  /// way.
  std::optional<std::string> state(llvm::StringRef list);

  /// Of the list that was noted under a key; empty if none was.
  std::optional<std::string> stateOfNoted(llvm::StringRef key) {
    auto list = store_.get(key);
    return list ? state(*list) : "";
  }

  /// Of one file, as FileStates says.
  llvm::StringRef stateOf(llvm::StringRef file) { return files_.of(file); }

private:
  const Store store_;
  FileStates files_;
  std::mutex mutex_;                    ///< of what follows
  llvm::StringMap<std::string> states_; ///< by list
};

} // namespace warplint
