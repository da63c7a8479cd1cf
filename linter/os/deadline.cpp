#include "os/deadline.h"
#include "base/plural.h"
#include "os/processor_wait.h"
#include "os/signals.h"
#include <optional>

namespace warplint {

namespace {

constexpr unsigned callsPerLook = 256; // a look costs some 30 ns

struct Limit {
  bool isSet = false; ///< a Deadline lives
  std::optional<MovingEnd> end;
  bool isOver = false;
  unsigned calls = 0;

  bool look() {
    isOver = isOver || isInterruptedForLong() ||
             (end && end->isOver(waitOfThread));
    return isOver;
  }
};

thread_local Limit limit;

} // namespace

Deadline::Deadline(std::chrono::milliseconds time,
                   std::chrono::milliseconds spent) {
  limit = {};
  limit.isSet = true;
  if (time.count())
    limit.end.emplace(MovingEnd::Clock::now() + time - spent, waitOfThread());
}

Deadline::~Deadline() { limit = {}; }

void Deadline::extend(std::chrono::nanoseconds time) {
  if (limit.end)
    limit.end->extend(time);
}

bool Deadline::isOver() const { return limit.look(); }

std::string tookTooLong(std::chrono::milliseconds limit) {
  return "took longer than " + counted(limit.count() / 1000, "second");
}

bool isOverdue() {
  if (!limit.isSet || limit.isOver)
    return limit.isOver;
  return ++limit.calls % callsPerLook == 0 && limit.look();
}

} // namespace warplint
