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

/// Behind an answer that is whole.
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
    _exit(0); // without destructors: what they free goes with the process
  }
  close(ends[1]);
  file_ = ends[0];
}

/// Whether it has ended within the time.
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
  // It may have a folder to remove, and a compiler to end.
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
