#include "os/deadline.h"

namespace warplint {

using Clock = std::chrono::steady_clock;

namespace {

constexpr unsigned callsPerLook = 256; // a look costs some 30 ns

struct Limit {
  bool isSet = false, isOver = false;
  Clock::time_point end;
  unsigned calls = 0;

  bool look() {
    isOver = isOver || (isSet && Clock::now() >= end);
    return isOver;
  }
};

thread_local Limit limit;

} // namespace

Deadline::Deadline(std::chrono::milliseconds time,
                   std::chrono::milliseconds spent) {
  limit = {time.count() != 0, false, Clock::now() + time - spent, 0};
}

Deadline::~Deadline() { limit = {}; }

void Deadline::extend(std::chrono::nanoseconds time) { limit.end += time; }

bool Deadline::isOver() const { return limit.look(); }

std::string tookTooLong(std::chrono::milliseconds limit) {
  return "took longer than " + std::to_string(limit.count() / 1000) +
         " seconds";
}

bool isOverdue() {
  if (!limit.isSet || limit.isOver)
    return limit.isOver;
  return ++limit.calls % callsPerLook == 0 && limit.look();
}

} // namespace warplint
