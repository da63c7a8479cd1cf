// The first steps of a child process, and its end.
#include "os/child_process.h"
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace warplint;

namespace {

/// The exit code of a child process that runs `work`; -1: it did not exit.
template <typename Work> int exitOf(Work work) {
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (!child)
    _exit(work(parent));
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Clang may print while it crashes; a core of some GiB fills the disk.
TEST(ChildProcess, PrintsNothingAndWritesNoCore) {
  EXPECT_EQ(exitOf([](pid_t parent) {
              // Where the limit may be raised, it must come down again.
              rlimit large = {1 << 20, 1 << 20};
              setrlimit(RLIMIT_CORE, &large);
              becomeChildProcess(parent);
              struct stat out, null;
              rlimit core = {1, 1};
              if (fstat(1, &out) || stat("/dev/null", &null))
                return 2;
              if (out.st_rdev != null.st_rdev || !S_ISCHR(out.st_mode))
                return 3;
              return getrlimit(RLIMIT_CORE, &core) || core.rlim_cur ? 4 : 0;
            }),
            0);
}

// The parent may have ended between the fork and the request for its signal.
TEST(ChildProcess, EndsAtOnceIfItsParentIsGone) {
  EXPECT_EQ(exitOf([](pid_t) {
              becomeChildProcess(getpid()); // which is not its parent
              return 0;
            }),
            1);
}

int cleanedUp = -1;

// It has a temporary folder and a compiler, which SIGKILL would leave behind.
TEST(ChildProcess, CleansUpBeforeItIsEnded) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  cleanedUp = ends[1];
  const pid_t child = fork();
  if (!child) {
    signal(SIGTERM, [](int) { _exit(write(cleanedUp, "c", 1) != 1); });
    if (write(cleanedUp, "r", 1) != 1)
      _exit(1);
    for (;;)
      pause();
  }
  close(ends[1]);
  char said = 0;
  ASSERT_EQ(read(ends[0], &said, 1), 1);
  EXPECT_EQ(said, 'r') << "it is ready";
  endProcess(child);
  EXPECT_EQ(read(ends[0], &said, 1), 1);
  EXPECT_EQ(said, 'c');
  EXPECT_EQ(waitpid(child, nullptr, WNOHANG), -1) << "a zombie is left";
  close(ends[0]);
}

TEST(ChildProcess, MemoryIsSaidInRoundUnits) {
  EXPECT_EQ(tookTooMuch(uint64_t(2) << 30),
            "took more than 2 GiB of memory and was ended");
  EXPECT_EQ(tookTooMuch(uint64_t(512) << 20),
            "took more than 512 MiB of memory and was ended");
  EXPECT_EQ(tookTooMuch((uint64_t(5) << 30) / 2),
            "took more than 2560 MiB of memory and was ended");
  EXPECT_EQ(tookTooMuch((uint64_t(25) << 30) / 2),
            "took more than 12 GiB of memory and was ended");
}

TEST(ChildProcess, TheMachineHasMemory) {
  EXPECT_GT(memoryOfMachine(), uint64_t(1) << 28);
  EXPECT_LT(memoryOfMachine(), uint64_t(1) << 50);
}

} // namespace
