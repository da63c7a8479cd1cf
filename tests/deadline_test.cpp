// `--timeout`: work on one source ends in time, and only that work.
#include "os/deadline.h"
#include <gtest/gtest.h>
#include <thread>

using namespace warplint;
using namespace std::chrono_literals;

namespace {

/// Asks as often as work does that does not end by itself.
bool isOverdueSoon() {
  for (unsigned i = 0; i < 1000; ++i)
    if (isOverdue())
      return true;
  return false;
}

} // namespace

TEST(Deadline, WorkLearnsThatItsTimeIsOver) {
  const Deadline deadline(1ms);
  std::this_thread::sleep_for(2ms);
  EXPECT_TRUE(deadline.isOver());
  EXPECT_TRUE(isOverdueSoon());
}

TEST(Deadline, WithoutALimitWorkIsNeverOverdue) {
  EXPECT_FALSE(isOverdueSoon());
  const Deadline deadline(0ms);
  EXPECT_FALSE(deadline.isOver());
  EXPECT_FALSE(isOverdueSoon());
}

// The next source on the thread has its whole time.
TEST(Deadline, ALimitEndsWithItsWork) {
  {
    const Deadline deadline(1ms);
    std::this_thread::sleep_for(2ms);
    EXPECT_TRUE(isOverdueSoon());
  }
  EXPECT_FALSE(isOverdueSoon());
}

TEST(Deadline, EachThreadHasItsOwn) {
  const Deadline deadline(1ms);
  std::this_thread::sleep_for(2ms);
  bool other = true;
  std::thread([&] { other = isOverdueSoon(); }).join();
  EXPECT_FALSE(other);
}

// A compiler has a limit of its own.
TEST(Deadline, TimeOfAnotherProgramDoesNotCount) {
  Deadline deadline(1ms);
  deadline.extend(1h);
  std::this_thread::sleep_for(2ms);
  EXPECT_FALSE(deadline.isOver());
}

TEST(Deadline, TheLimitIsNamedInSeconds) {
  EXPECT_EQ(tookTooLong(10s), "took longer than 10 seconds");
}
