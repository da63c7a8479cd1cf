// How long work has waited for a processor: on a loaded machine that is most of
// the time that passes, and no reason to end the work. A limit of time leaves
// it out; waiting for a file or a lock counts.
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include <chrono>
#include <sys/types.h>

namespace warplint {

/// Of this thread, since it began; 0 if the system does not tell.
std::chrono::nanoseconds waitOfThread();

/// Of all threads of a process together; 0 if the system does not tell.
std::chrono::nanoseconds waitOfProcess(pid_t process);

/// The end of a piece of work's time, which moves on while the work waits for a
/// processor.
class MovingEnd {
public:
  using Clock = std::chrono::steady_clock;

  /// `waited`: the work's wait so far.
  MovingEnd(Clock::time_point end, std::chrono::nanoseconds waited)
      : end_(end), waited_(waited) {}

  /// Asks for the work's wait, which takes some microseconds, only if the end
  /// would be over without it.
  bool isOver(llvm::function_ref<std::chrono::nanoseconds()> waited);

  /// As far as `isOver` has moved it.
  Clock::time_point end() const { return end_; }

  void extend(std::chrono::nanoseconds time) { end_ += time; }

private:
  Clock::time_point end_;
  std::chrono::nanoseconds waited_;
};

} // namespace warplint
