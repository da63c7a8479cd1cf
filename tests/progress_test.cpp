#include "report/progress.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

using namespace warplint;
using namespace std::chrono_literals;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A terminal: what is written to it can be read while it is being written.
class Terminal {
public:
  Terminal() {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    in_ = ends[0];
    out_ = std::make_unique<llvm::raw_fd_ostream>(ends[1], /*shouldClose=*/true,
                                                  /*unbuffered=*/true);
  }
  ~Terminal() { close(in_); }

  llvm::raw_ostream &out() { return *out_; }
  /// Returns once `text` has been written, or after a minute.
  void waitFor(llvm::StringRef text) {
    pollfd file{in_, POLLIN, 0};
    while (!llvm::StringRef(written_).contains(text) &&
           poll(&file, 1, 60'000) > 0)
      readSome();
  }
  /// All that was written; nobody writes any more.
  std::string all() {
    out_.reset();
    while (readSome())
      ;
    return written_;
  }

private:
  bool readSome() {
    char bytes[4096];
    const ssize_t count = read(in_, bytes, sizeof bytes);
    written_.append(bytes, std::max<ssize_t>(count, 0));
    return count > 0;
  }

  int in_ = -1;
  std::unique_ptr<llvm::raw_fd_ostream> out_;
  std::string written_;
};

/// Returns what a terminal is sent while the second step lasts until it shows
/// `awaited`.
static std::string shown(std::chrono::milliseconds patience, unsigned columns,
                         llvm::StringRef what, llvm::StringRef awaited) {
  Terminal terminal;
  {
    Progress progress("reading", 340, {&terminal.out(), columns, patience});
    progress.step("first.cu");
    progress.step(what);
    if (!awaited.empty())
      terminal.waitFor(awaited);
  }
  return terminal.all();
}

// One source that takes a minute must not look like a hang: the line comes
// though no further step begins.
TEST(Progress, ALongRunShowsItsProgressAndErasesIt) {
  std::string text = shown(1ms, 80, "src/foo.cu", "2/340 src/foo.cu");
  EXPECT_THAT(text, StartsWith("\r\x1b[K"));
  EXPECT_THAT(text, HasSubstr("\r\x1b[Kreading 2/340 src/foo.cu"));
  EXPECT_THAT(text, EndsWith("\r\x1b[K"));
}

TEST(Progress, AShortRunShowsNothing) {
  EXPECT_EQ(shown(1h, 80, "src/foo.cu", ""), "");
}

// A line that wraps cannot be cleared and would fill the terminal.
TEST(Progress, ALongPathLosesItsBeginning) {
  std::string text =
      shown(1ms, 30, "a/very/long/path/to/a/source/foo.cu", "foo.cu");
  EXPECT_THAT(text, HasSubstr("\r\x1b[Kreading 2/340 ...ource/foo.cu\r"));
  EXPECT_THAT(text, Not(HasSubstr("long")));
}

// No terminal, no escape codes in a log file.
TEST(Progress, NothingIsShownWithoutATerminal) {
  Progress progress("reading", 2, {nullptr, 80, 0ms});
  progress.step("a.cu");
  EXPECT_EQ(Progress::Terminal().out, nullptr);
}

// A log of a build said nothing for four minutes.
TEST(Progress, ALogGetsALineOfItsOwn) {
  Terminal log;
  {
    Progress progress("reading", 340, {&log.out(), 80, 1ms, /*isLog=*/true});
    log.waitFor("warplint: reading 0/340\n");
    progress.step("first.cu");
    log.waitFor("warplint: reading 1/340\n");
  }
  EXPECT_THAT(log.all(), Not(HasSubstr("\x1b")));
}

// The largest source is read first, and may take a minute.
TEST(Progress, TheFirstStepIsNotAwaited) {
  Terminal terminal;
  {
    Progress progress("reading", 340, {&terminal.out(), 80, 1ms});
    terminal.waitFor("reading 0/340");
  }
  EXPECT_THAT(terminal.all(), HasSubstr("reading 0/340"));
}

TEST(Progress, AnyThreadMayStep) {
  Terminal terminal;
  {
    Progress progress("reading", 4000, {&terminal.out(), 80, 1ms});
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (int step = 0; step < 1000; ++step)
          progress.step("a.cu");
      });
    for (std::thread &thread : threads)
      thread.join();
    terminal.waitFor("4000/4000");
  }
  EXPECT_THAT(terminal.all(), HasSubstr("reading 4000/4000 a.cu"));
}

// Nobody waits for ten thousand sources without knowing for how long.
TEST(Progress, ALongRunSaysHowLongTheRestTakes) {
  EXPECT_EQ(timeLeft(100s, 0.8), "25 s left");
  EXPECT_EQ(timeLeft(100s, 0.125), "12 min left");
  EXPECT_EQ(timeLeft(1000s, 0.1), "2 h 30 min left");
}

TEST(Progress, TheFirstSecondsAreNoEstimate) {
  EXPECT_EQ(timeLeft(4s, 0.5), "");
  EXPECT_EQ(timeLeft(100s, 0.001), "");
  EXPECT_EQ(timeLeft(100s, 1), "");
}
