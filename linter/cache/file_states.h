// Paths to what is there now, each looked at once in a run.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Chrono.h"
#include <mutex>
#include <optional>
#include <string>

namespace warplint {

/// For any number of threads.
class FileStates {
public:
  /// The hash of a file's contents; "folder"; "other" for what is neither;
  /// "none" if nothing is there that can be read. Empty for a file that was
  /// changed after this object was made: who has read it may have read it as
  /// it was before.
  llvm::StringRef of(llvm::StringRef path);

  /// Looks at all of them. Of files that several threads ask for at once, each
  /// looks at a part.
  void lookAt(llvm::ArrayRef<std::string> paths);

private:
  std::string look(llvm::StringRef path) const;

  const llvm::sys::TimePoint<> began_ =
      std::chrono::time_point_cast<llvm::sys::TimePoint<>::duration>(
          std::chrono::system_clock::now());
  std::mutex mutex_; ///< of what follows
  /// None where a thread is looking. Nobody waits for it: who needs it looks.
  llvm::StringMap<std::optional<std::string>> states_;
};

} // namespace warplint
