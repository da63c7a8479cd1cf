#include "os/processor_wait.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace warplint {

/// Reads a file of /proc: nanoseconds on a processor, nanoseconds in which the
/// thread could run and did not, and a count.
static std::chrono::nanoseconds waitIn(const Twine &schedstat) {
  auto file = MemoryBuffer::getFileAsStream(schedstat);
  if (!file)
    return {};
  StringRef wait = (*file)->getBuffer().split(' ').second;
  uint64_t nanoseconds = 0;
  return wait.consumeInteger(10, nanoseconds)
             ? std::chrono::nanoseconds(0)
             : std::chrono::nanoseconds(nanoseconds);
}

std::chrono::nanoseconds waitOfThread() {
  return waitIn("/proc/thread-self/schedstat");
}

std::chrono::nanoseconds waitOfProcess(pid_t process) {
  std::chrono::nanoseconds all{0};
  std::error_code error;
  for (sys::fs::directory_iterator
           task("/proc/" + Twine(process) + "/task", error),
       end;
       !error && task != end; task.increment(error))
    all += waitIn(task->path() + "/schedstat");
  return all;
}

bool MovingEnd::isOver(function_ref<std::chrono::nanoseconds()> waited) {
  if (Clock::now() < end_)
    return false;
  const std::chrono::nanoseconds now = std::max(waited_, waited());
  end_ += now - waited_;
  waited_ = now;
  return Clock::now() >= end_;
}

} // namespace warplint
