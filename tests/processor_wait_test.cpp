// `--timeout` ends work that never ends, not work on a loaded machine.
#include "os/deadline.h"
#include "os/process_pool.h"
#include "os/processor_wait.h"
#include <csignal>
#include <ctime>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace warplint;
using namespace std::chrono_literals;

namespace {

std::chrono::nanoseconds processorTime() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) +
         std::chrono::nanoseconds(time.tv_nsec);
}

void workFor(std::chrono::nanoseconds time) {
  for (const auto end = processorTime() + time; processorTime() < end;) {
  }
}

/// Shares one processor with three processes that never wait.
class LoadedProcessor : public testing::Test {
protected:
  void SetUp() override {
    sched_getaffinity(0, sizeof all_, &all_);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE && !CPU_COUNT(&one); ++i)
      if (CPU_ISSET(i, &all_))
        CPU_SET(i, &one);
    sched_setaffinity(0, sizeof one, &one);
    for (int i = 0; i < 3; ++i) {
      const pid_t child = fork();
      if (child == 0)
        for (;;)
          processorTime();
      others_.push_back(child);
    }
    workFor(50ms);
    if (waitOfThread() == 0ns)
      GTEST_SKIP() << "the system does not tell how long a thread waits";
  }

  void TearDown() override {
    for (pid_t other : others_) {
      kill(other, SIGKILL);
      waitpid(other, nullptr, 0);
    }
    sched_setaffinity(0, sizeof all_, &all_);
  }

private:
  cpu_set_t all_;
  std::vector<pid_t> others_;
};

std::string failureOf(std::chrono::milliseconds limit,
                      std::function<void()> work) {
  std::string failure;
  forEachInProcesses(size_t(0), {1, limit},
                     {[&](size_t) {
                        work();
                        return std::string();
                      },
                      [](size_t, std::string) {},
                      [&](size_t, std::string why) { failure = why; }});
  return failure;
}

} // namespace

TEST_F(LoadedProcessor, APieceOfWorkHasItsWholeTime) {
  EXPECT_EQ(failureOf(1500ms, [] { workFor(1s); }), "");
}

TEST_F(LoadedProcessor, APieceThatNeverEndsIsEnded) {
  EXPECT_NE(failureOf(300ms, [] { workFor(1h); }), "");
  EXPECT_NE(failureOf(300ms, [] { sleep(3600); }), "");
}

TEST_F(LoadedProcessor, AThreadHasItsWholeTime) {
  const Deadline deadline(600ms);
  workFor(400ms);
  EXPECT_FALSE(deadline.isOver());
  workFor(400ms);
  EXPECT_TRUE(deadline.isOver());
}

TEST_F(LoadedProcessor, TheWaitOfAProcessIsThatOfItsThreads) {
  const std::chrono::nanoseconds before = waitOfProcess(getpid());
  workFor(100ms);
  EXPECT_GT(waitOfProcess(getpid()), before + 100ms);
  EXPECT_EQ(waitOfProcess(-1), 0ns);
}
