#include "os/background_process.h"
#include "os/child_process.h"
#include "os/pipes.h"
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;

namespace warplint {

/// Ends a complete answer.
static constexpr char wholeMark = '\n';

BackgroundProcess::BackgroundProcess(function_ref<std::string()> work) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    return;
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ == 0) {
    becomeChildProcess(parent);
    takeMemoryInLargeSteps();
    writeAll(ends[1], work() + wholeMark);
    _exit(0); // skips destructors: the process frees its memory anyway
  }
  close(ends[1]);
  file_ = ends[0];
}

BackgroundProcess::~BackgroundProcess() {
  if (file_ >= 0)
    close(file_);
  if (process_ > 0)
    endProcess(process_);
}

bool BackgroundProcess::read() { return readSome(file_, answer_); }

StringRef BackgroundProcess::answer() const {
  StringRef text = answer_;
  return text.consume_back(StringRef(&wholeMark, 1)) ? text : "";
}

} // namespace warplint
