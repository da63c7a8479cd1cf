// A limit of time for work on one thread, without the time in which it waits
// for a processor. The work asks from time to time and finishes early; nothing
// is thrown and nothing is killed.
#pragma once
#include <chrono>
#include <string>

namespace warplint {

/// One at a time on each thread. The destructor takes the limit off. It is over
/// as well once the run was interrupted for long.
class Deadline {
public:
  /// From now on; 0: no limit. `spent`: part of it has passed already.
  explicit Deadline(std::chrono::milliseconds limit,
                    std::chrono::milliseconds spent = {});
  ~Deadline();
  Deadline(const Deadline &) = delete;

  /// Moves the end, e.g. by the time of another program with its own limit.
  void extend(std::chrono::nanoseconds time);

  /// Looks at the clock.
  bool isOver() const;
};

/// "took longer than 10 seconds".
std::string tookTooLong(std::chrono::milliseconds limit);

/// Returns true if this thread's deadline is over. Cheap: looks at the clock
/// once in many calls.
bool isOverdue();

} // namespace warplint
