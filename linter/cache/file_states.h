// Paths to hashes of the files there, each read once in a run.
#pragma once
#include "cache/store.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Chrono.h"
#include <mutex>
#include <optional>
#include <string>

namespace warplint {

/// Thread-safe.
class FileStates {
public:
  /// `here`, on this machine, keeps the hashes of large files for later runs:
  /// hashing nvcc's 30 MB takes as long as looking up hundreds of sources. They
  /// are stored by name, size, times of change and inode.
  explicit FileStates(Store here = Store()) : here_(std::move(here)) {}

  /// The hash of a file's contents; "folder"; "other" for a device or a pipe;
  /// "none" if nothing readable is there. Empty for a file that changed after
  /// this object was made, since this run may have read it before that.
  llvm::StringRef of(llvm::StringRef path);

  /// Each file once in a run, or all of them as they are now.
  enum class Look { Once, Again };
  /// A key of the files' names, sizes, times of change and inodes, which
  /// differs on another machine and after any change. Empty if one of them
  /// changed so recently that another change may have the same time.
  std::string statusesOf(llvm::ArrayRef<std::string> paths, Look look);

  /// Takes the text of a file that somebody else read; `modified` is the time
  /// of its last modification before that.
  void wasRead(llvm::StringRef path, llvm::StringRef text,
               llvm::sys::TimePoint<> modified);

  /// Reads all of `paths` into the cache. Threads that call this at once share
  /// the work.
  void lookAt(llvm::ArrayRef<std::string> paths);

private:
  std::optional<llvm::StringRef> known(llvm::StringRef path);
  llvm::StringRef put(llvm::StringRef path, std::string state);
  std::string look(llvm::StringRef path) const;
  std::string statusOf(const std::string &path) const;
  std::string knownStatusOf(const std::string &path);

  const Store here_;

  const llvm::sys::TimePoint<> began_ =
      std::chrono::time_point_cast<llvm::sys::TimePoint<>::duration>(
          std::chrono::system_clock::now());
  std::mutex mutex_; ///< of what follows
  /// Empty while a thread reads the file. Another thread that needs the state
  /// does not wait; it reads the file too.
  llvm::StringMap<std::optional<std::string>> states_;
  llvm::StringMap<std::string> statuses_; ///< as statusesOf has them
};

} // namespace warplint
