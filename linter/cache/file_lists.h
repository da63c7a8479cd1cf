// Lists of files to what is in them now.
#pragma once
#include "cache/file_states.h"
#include "cache/store.h"
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
  std::optional<std::string> stateOfAll(llvm::ArrayRef<std::string> files);

  /// Of the list that was noted under a key; empty if none was.
  std::optional<std::string> stateOfNoted(llvm::StringRef key) {
    auto list = store_.get(key);
    return list ? state(*list) : "";
  }

  /// Of a program, as FileStates says. To hash nvcc's 30 MB in every run would
  /// take as long as to ask for hundreds of sources, so its hash is noted: for
  /// this name, size, time of change and inode it is taken to be the same.
  std::string stateOfProgram(llvm::StringRef file);

private:
  const Store store_;
  FileStates files_;
  std::mutex mutex_;                    ///< of what follows
  llvm::StringMap<std::string> states_; ///< by list
  std::mutex programMutex_;             ///< of what follows
  llvm::StringMap<std::string> programs_;
};

} // namespace warplint
