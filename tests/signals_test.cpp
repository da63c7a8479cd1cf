#include "os/scratch.h"
#include "os/signals.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace warplint;

namespace {

/// A process to end, as a build ends the launcher's child processes.
class Signals : public testing::Test {
protected:
  Scratch scratch = cantFail(Scratch::create());
  int said[2], told[2];
  pid_t process = 0;

  void SetUp() override {
    ASSERT_EQ(pipe2(said, O_CLOEXEC), 0);
    ASSERT_EQ(pipe2(told, O_CLOEXEC), 0);
  }

  void begin(function_ref<void()> work) {
    process = fork();
    if (process == 0) {
      cleanUpOnSignals();
      work();
      _exit(0);
    }
  }

  void say(char what) { ASSERT_EQ(write(said[1], &what, 1), 1); }
  /// The next byte that it writes; 0 if none arrives in time.
  char hear(int milliseconds = 120'000) {
    pollfd file = {said[0], POLLIN, 0};
    char what = 0;
    return poll(&file, 1, milliseconds) > 0 && read(said[0], &what, 1) == 1
               ? what
               : 0;
  }
  /// The signal that ended it.
  int end() {
    int status = 0;
    EXPECT_EQ(waitpid(process, &status, 0), process);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  }
};

bool isStillThere(pid_t process) { return kill(process, 0) == 0; }

bool isEmpty(StringRef folder) {
  std::error_code error;
  return sys::fs::directory_iterator(folder, error) ==
         sys::fs::directory_iterator();
}

/// The first child of this process; 0 if there is none.
pid_t childOf(pid_t parent) {
  std::error_code error;
  for (sys::fs::directory_iterator entry("/proc", error), end;
       !error && entry != end; entry.increment(error)) {
    auto stat = MemoryBuffer::getFileAsStream(entry->path() + "/stat");
    pid_t process = 0, its = 0;
    // "7 (a name) S 3 ..."
    if (stat && !sys::path::filename(entry->path()).getAsInteger(10, process) &&
        !(*stat)
             ->getBuffer()
             .rsplit(") ")
             .second.drop_front(2)
             .split(' ')
             .first.getAsInteger(10, its) &&
        its == parent)
      return process;
  }
  return 0;
}

} // namespace

// A compiler whose process id is not known yet must end too; otherwise it would
// run on and write into a removed folder.
TEST_F(Signals, AProgramThatIsBeingStartedIsEndedAsWell) {
  begin([&] {
    std::thread([&] { // the signal comes to the other thread
      Scratch inner = cantFail(Scratch::create());
      // Opening it takes until somebody reads.
      mkfifo(inner.path("output").c_str(), 0600);
      (void)!write(said[1], inner.path("output").c_str(), 200);
      consumeError(inner
                       .run({"/bin/sleep", "1000"}, "/", "output",
                            std::chrono::seconds(1000))
                       .takeError());
    })
        .join();
  });
  char output[200] = {};
  ASSERT_GT(read(said[0], output, sizeof output), 0);
  pid_t started = 0;
  for (int i = 0; i < 12'000 && !started; ++i, usleep(10'000))
    started = childOf(process);
  ASSERT_NE(started, 0);
  kill(process, SIGTERM);
  usleep(200'000); // a program that does not wait is gone by now
  const int reader = open(output, O_RDONLY | O_NONBLOCK);
  EXPECT_GE(reader, 0) << "the folder went before what writes there";
  EXPECT_EQ(end(), SIGTERM);
  EXPECT_FALSE(isStillThere(started));
  EXPECT_FALSE(sys::fs::exists(output));
  kill(started, SIGKILL);
  close(reader);
}

static std::function<void()> whatIsDone;

// Ninja signals the whole process group, and the launcher passes it on.
TEST_F(Signals, ASecondSignalDoesNotCutTheFirstShort) {
  const std::string temporary = scratch.path("temporary-%%%%");
  begin([&] {
    auto file = cantFail(sys::fs::TempFile::create(temporary));
    whatIsDone = [&] {
      say('t');
      char go;
      (void)!read(told[0], &go, 1);
    };
    alsoAtTermination([] { whatIsDone(); });
    std::thread other([] { pause(); });
    say('r');
    pause();
  });
  ASSERT_EQ(hear(), 'r');
  EXPECT_FALSE(isEmpty(scratch.folder()));
  kill(process, SIGTERM);
  ASSERT_EQ(hear(), 't');
  kill(process, SIGINT);
  EXPECT_EQ(hear(200), 0) << "it is done twice";
  EXPECT_EQ(waitpid(process, nullptr, WNOHANG), 0);
  ASSERT_EQ(write(told[1], "g", 1), 1);
  EXPECT_EQ(end(), SIGTERM);
  EXPECT_TRUE(isEmpty(scratch.folder()));
}

TEST_F(Signals, AHandlerDoesNotWaitForItsOwnThread) {
  begin([&] {
    {
      DeferredSignals here;
      raise(SIGHUP);
      say('u');
    }
    say('d');
  });
  EXPECT_EQ(hear(), 'u');
  EXPECT_EQ(end(), SIGHUP);
  EXPECT_EQ(hear(0), 0);
}

// An interrupted run of minutes left an empty screen.
TEST_F(Signals, AnInterruptedProcessSaysHowFarItWas) {
  for (int signal : {SIGINT, SIGHUP}) {
    int out[2];
    ASSERT_EQ(pipe2(out, O_CLOEXEC), 0);
    begin([&] {
      dup2(out[1], STDERR_FILENO);
      sayAtTheEnd("read 1 of 3");
      sayAtTheEnd("read 2 of 3");
      if (fork() == 0) { // a terminal interrupts its whole group
        cleanUpOnSignals();
        raise(SIGINT);
      }
      (void)!wait(nullptr);
      say('r');
      pause();
    });
    close(out[1]);
    ASSERT_EQ(hear(), 'r');
    kill(process, signal);
    EXPECT_EQ(end(), signal);
    char text[100] = {};
    (void)!read(out[0], text, sizeof text - 1);
    EXPECT_STREQ(text, signal == SIGINT ? "read 2 of 3\n" : "");
    close(out[0]);
  }
}

// A CI job at its limit of time lost what hours of it had found.
TEST_F(Signals, AnInterruptedRunHasTimeToReportAndThenEndsByTheSignal) {
  int out[2];
  ASSERT_EQ(pipe2(out, O_CLOEXEC), 0);
  begin([&] {
    dup2(out[1], STDERR_FILENO);
    {
      Interruptible run("reports");
      raise(SIGTERM);
      raise(SIGINT); // `timeout` and terminals send several
    }
    say(isInterrupted() && !isInterruptedForLong() ? 'i' : 'n');
    Scratch inner = cantFail(Scratch::create());
    auto exit =
        inner.run({"/bin/sleep", "1000"}, "/", "out", std::chrono::hours(1));
    say(exit && exit->signal == SIGTERM ? 'e' : 'n');
    endIfInterrupted();
    say('n');
  });
  close(out[1]);
  EXPECT_EQ(hear(), 'i');
  EXPECT_EQ(hear(), 'e');
  EXPECT_EQ(end(), SIGTERM);
  char text[100] = {};
  (void)!read(out[0], text, sizeof text - 1);
  EXPECT_STREQ(text, "reports\n");
  close(out[0]);
}

// Of a thousand sources, few that were read were linted in five seconds: Ctrl-C
// lost the others. No SIGKILL follows.
TEST_F(Signals, AtATerminalThereIsMoreTimeToReport) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  ASSERT_GE(terminal, 0);
  ASSERT_EQ(grantpt(terminal), 0);
  ASSERT_EQ(unlockpt(terminal), 0);
  const int shown = open(ptsname(terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);
  ASSERT_GE(shown, 0);
  begin([&] {
    dup2(shown, STDERR_FILENO);
    Interruptible run("");
    raise(SIGINT);
    usleep(5'200'000);
    say(isInterrupted() && !isInterruptedForLong() ? 'i' : 'n');
  });
  EXPECT_EQ(hear(), 'i');
  EXPECT_EQ(end(), 0);
  close(shown);
  close(terminal);
}

// Who presses Ctrl-C again does not want to wait.
TEST_F(Signals, ASecondInterruptionEndsTheReportAsWell) {
  begin([&] {
    Interruptible run("");
    say('r');
    for (;;)
      pause();
  });
  ASSERT_EQ(hear(), 'r');
  kill(process, SIGINT);
  usleep(1'200'000);
  EXPECT_TRUE(isStillThere(process));
  kill(process, SIGINT);
  EXPECT_EQ(end(), SIGINT);
}
