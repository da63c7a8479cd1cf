// One piece of work in a fork of this program, beside what the program does
// itself: the work may crash or hang, and its owner may drop it at any time.
// For programs with a single thread. os/process_pool.h runs many pieces of work
// and waits for them; os/scratch.h runs other programs.
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <sys/types.h>
#include <utility>

namespace warplint {

class BackgroundProcess {
public:
  /// Starts `work` on a copy of this process's memory.
  explicit BackgroundProcess(llvm::function_ref<std::string()> work);
  BackgroundProcess(BackgroundProcess &&other)
      : process_(std::exchange(other.process_, 0)),
        file_(std::exchange(other.file_, -1)),
        answer_(std::move(other.answer_)) {}
  BackgroundProcess &operator=(BackgroundProcess &&) = delete;
  /// Ends the process and all that it has started.
  ~BackgroundProcess();

  /// Becomes readable when more of the answer is there; -1 if the process could
  /// not start.
  int file() const { return file_; }
  /// Reads what is there now; false at the end.
  bool read();
  /// The value that `work` returned; empty if the process ended before that.
  llvm::StringRef answer() const;

private:
  pid_t process_ = 0;
  int file_ = -1;
  std::string answer_;
};

} // namespace warplint
