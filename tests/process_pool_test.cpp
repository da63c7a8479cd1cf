#include "os/process_pool.h"
#include "os/signals.h"
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <gmock/gmock.h>
#include <map>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace warplint;
using namespace std::chrono_literals;
using testing::HasSubstr;

namespace {

struct Outcome {
  std::map<size_t, std::string> done, failed;
};

Outcome run(size_t count, const ProcessLimits &limits,
            std::function<std::string(size_t)> work) {
  std::vector<size_t> pieces;
  for (size_t i = 0; i < count; ++i)
    pieces.push_back(i);
  Outcome outcome;
  forEachInProcesses(
      pieces, limits,
      {std::move(work),
       [&](size_t i, std::string answer) {
         EXPECT_TRUE(outcome.done.emplace(i, std::move(answer)).second) << i;
       },
       [&](size_t i, std::string why) {
         EXPECT_TRUE(outcome.failed.emplace(i, std::move(why)).second) << i;
       }});
  return outcome;
}

} // namespace

TEST(ProcessPool, EachPieceHasItsAnswer) {
  for (unsigned processes : {0u, 1u, 3u, 100u}) {
    // Answers of no byte, and of more than fits into a pipe.
    Outcome outcome = run(20, {processes}, [](size_t i) {
      return std::string(i * i * 10'000, char('a' + i));
    });
    EXPECT_TRUE(outcome.failed.empty());
    ASSERT_EQ(outcome.done.size(), 20u);
    for (const auto &[i, answer] : outcome.done)
      EXPECT_EQ(answer, std::string(i * i * 10'000, char('a' + i)));
  }
  EXPECT_TRUE(run(0, {2}, [](size_t) { return "x"; }).done.empty());
}

// What is done counts, and what is not has its reason: no piece is lost.
TEST(ProcessPool, AnInterruptionEndsThePiecesThatAreNotDone) {
  const pid_t run = fork();
  if (run == 0) {
    Interruptible here("");
    std::map<size_t, std::string> failed;
    size_t done = 0;
    auto work = [](size_t i) -> std::string {
      if (i > 0)
        sleep(1000);
      return "x";
    };
    forEachInProcesses(
        {0, 1, 2, 3}, {2},
        {work,
         [&](size_t, std::string) {
           ++done;
           raise(SIGTERM);
         },
         [&](size_t i, std::string why) { failed[i] = why; }});
    const std::map<size_t, std::string> all = {
        {1, "was interrupted"}, {2, "was interrupted"}, {3, "was interrupted"}};
    _exit(done == 1 && failed == all ? 0 : 1);
  }
  int status = 0;
  waitpid(run, &status, 0);
  EXPECT_EQ(status, 0);
}

// A source that crashes Clang does not affect the others, wherever it stands.
TEST(ProcessPool, ACrashEndsItsPieceAlone) {
  Outcome outcome = run(9, {2}, [](size_t i) -> std::string {
    if (i == 0)
      std::abort();
    if (i == 4)
      raise(SIGSEGV);
    if (i == 8)
      _exit(3);
    return std::to_string(i);
  });
  EXPECT_EQ(outcome.done.size(), 6u);
  EXPECT_THAT(outcome.failed[0], HasSubstr("ended in a crash (Aborted)"));
  EXPECT_THAT(outcome.failed[4], HasSubstr("(Segmentation fault)"));
  EXPECT_EQ(outcome.failed[8], "ended in a crash");
}

TEST(ProcessPool, APieceThatNeverEndsIsKilled) {
  Outcome outcome = run(5, {2, 3s}, [](size_t i) -> std::string {
    while (i == 1 || i == 3)
      usleep(1000);
    return std::to_string(i);
  });
  EXPECT_EQ(outcome.done.size(), 3u);
  for (size_t i : {1, 3})
    EXPECT_THAT(outcome.failed[i], HasSubstr("took longer than"));
}

// One source's macros must not take the machine.
TEST(ProcessPool, APieceThatTakesTooMuchMemoryIsEnded) {
  auto take = [](size_t megabytes) {
    const size_t size = megabytes << 20;
    std::string bytes(size, 'x');
    return std::to_string(bytes.size() >> 20);
  };
  ProcessLimits limits{2};
  limits.memory = uint64_t(512) << 20;
  Outcome outcome =
      run(5, limits, [&](size_t i) { return take(i == 2 ? 1200 : 200); });
  EXPECT_EQ(outcome.done.size(), 4u);
  EXPECT_EQ(outcome.done[4], "200");
  EXPECT_EQ(outcome.failed[2],
            "took more than 512 MiB of memory and was ended");
  limits.memory = 0;
  EXPECT_EQ(run(1, limits, [&](size_t) { return take(1200); }).done[0], "1200");
}

TEST(ProcessPool, AStackDoesNotCountAsMemory) {
  ProcessLimits limits{1};
  limits.memory = uint64_t(64) << 20;
  Outcome outcome = run(1, limits, [](size_t) -> std::string {
    volatile char deep[128 << 20];
    for (size_t i = 0; i < sizeof deep; i += 4096)
      deep[i] = 1;
    return std::to_string(deep[4096]);
  });
  EXPECT_EQ(outcome.done[0], "1") << outcome.failed[0];
}

// A process that is left would occupy memory and a processor forever.
TEST(ProcessPool, NoChildProcessIsLeft) {
  Outcome outcome = run(2, {2, 3s}, [](size_t i) {
    if (i == 1)
      for (;;)
        usleep(1000);
    return std::to_string(getpid());
  });
  ASSERT_EQ(outcome.done.size(), 1u);
  EXPECT_EQ(kill(std::stoi(outcome.done[0]), 0), -1);
}

TEST(ProcessPool, AProcessRunsPieceAfterPiece) {
  Outcome outcome =
      run(6, {1}, [](size_t) { return std::to_string(getpid()); });
  for (const auto &[_, answer] : outcome.done)
    EXPECT_EQ(answer, outcome.done[0]);
  EXPECT_NE(outcome.done[0], std::to_string(getpid()));
}

static unsigned depthOf(unsigned left) {
  volatile char frame[4096];
  frame[left % 4096] = 1;
  return left ? depthOf(left - 1) + frame[left % 4096] : 0;
}
// Clang recurses deeper than the usual 8 MiB of stack allow.
TEST(ProcessPool, StacksAreDeep) {
  Outcome outcome =
      run(1, {1}, [](size_t) { return std::to_string(depthOf(20'000)); });
  EXPECT_EQ(outcome.done[0], "20000");
}

TEST(ProcessPool, ReportsIdleProcessorsOnceNoPieceIsLeft) {
  for (auto [count, processes] : {std::pair(1, 3), {5, 2}}) {
    std::vector<size_t> pieces(count);
    int done = 0;
    const int all = count - 1;
    // Processes share it.
    auto *ended = static_cast<std::atomic<int> *>(
        mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    std::vector<unsigned> idle;
    ProcessWork work;
    work.work = [&](size_t isLast) {
      if (!isLast)
        ++*ended;
      while (isLast && *ended < all) // the others end before it
        usleep(1000);
      usleep(isLast ? 200'000 : 0); // and are heard of
      return "";
    };
    pieces.back() = 1;
    work.done = [&](size_t, std::string) { ++done; };
    work.failed = [&](size_t, std::string why) { FAIL() << why; };
    work.idle = [&](unsigned free) {
      idle.push_back(free);
      // All are done, but for those that the others are at.
      EXPECT_EQ(count - done, processes - int(free));
    };
    forEachInProcesses(pieces, {unsigned(processes)}, work);
    EXPECT_EQ(done, count);
    EXPECT_FALSE(idle.empty());
  }
}
