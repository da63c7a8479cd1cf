#include "os/background_process.h"
#include "os/child_process.h"
#include "os/pipes.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <thread>
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

/// True if the process ends within the time.
static bool hasEnded(pid_t process, std::chrono::milliseconds patience) {
  const auto last = std::chrono::steady_clock::now() + patience;
  while (waitpid(process, nullptr, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > last)
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

BackgroundProcess::~BackgroundProcess() {
  if (file_ >= 0)
    close(file_);
  if (process_ <= 0)
    return;
  // On SIGTERM it removes its folders and ends its compiler.
  kill(process_, SIGTERM);
  if (hasEnded(process_, std::chrono::seconds(3)))
    return;
  kill(process_, SIGKILL);
  hasEnded(process_, std::chrono::seconds(3));
}

bool BackgroundProcess::read() { return readSome(file_, answer_); }

StringRef BackgroundProcess::answer() const {
  StringRef text = answer_;
  return text.consume_back(StringRef(&wholeMark, 1)) ? text : "";
}

} // namespace warplint
