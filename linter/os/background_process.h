// A piece of work in a process of its own: it may crash, hang, or be dropped at
// any time, and takes nothing with it. Of a program with a single thread.
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <sys/types.h>
#include <utility>

namespace warplint {

class BackgroundProcess {
public:
  /// Starts `work`, which has a copy of everything as it is now.
  explicit BackgroundProcess(llvm::function_ref<std::string()> work);
  BackgroundProcess(BackgroundProcess &&other)
      : process_(std::exchange(other.process_, 0)),
        file_(std::exchange(other.file_, -1)),
        answer_(std::move(other.answer_)) {}
  BackgroundProcess &operator=(BackgroundProcess &&) = delete;
  /// Ends it, with all that it has started.
  ~BackgroundProcess();

  /// Can be read once there is more of the answer; -1 if it could not start.
  int file() const { return file_; }
  /// Takes what is there now; false once that was all.
  bool read();
  /// What `work` returned; empty if it did not end by itself.
  llvm::StringRef answer() const;

private:
  pid_t process_ = 0;
  int file_ = -1;
  std::string answer_;
};

} // namespace warplint
