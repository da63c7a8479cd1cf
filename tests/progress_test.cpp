#include "report/progress.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warplint;
using namespace std::chrono_literals;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// What a terminal is sent while one step takes `busy`.
static std::string shown(std::chrono::milliseconds patience,
                         std::chrono::milliseconds busy, unsigned columns,
                         llvm::StringRef what) {
  std::string text;
  llvm::raw_string_ostream out(text);
  {
    Progress progress("reading", 340, {&out, columns, patience});
    progress.step("first.cu");
    progress.step(what);
    std::this_thread::sleep_for(busy);
  }
  return text;
}

// One source that takes a minute must not look like a hang: the line appears
// although no further step begins.
TEST(Progress, ShowsALongRunAndClearsTheLine) {
  std::string text = shown(1ms, 300ms, 80, "src/foo.cu");
  EXPECT_THAT(text, StartsWith("\r\x1b[K"));
  EXPECT_THAT(text, HasSubstr("\r\x1b[Kreading 2/340 src/foo.cu"));
  EXPECT_THAT(text, EndsWith("\r\x1b[K"));
}

TEST(Progress, AShortRunShowsNothing) {
  EXPECT_EQ(shown(10s, 0ms, 80, "src/foo.cu"), "");
}

// A line that wraps cannot be cleared and would fill the terminal.
TEST(Progress, ALongPathLosesItsBeginning) {
  std::string text =
      shown(1ms, 300ms, 30, "a/very/long/path/to/a/source/foo.cu");
  EXPECT_THAT(text, HasSubstr("\r\x1b[Kreading 2/340 ...ource/foo.cu\r"));
  EXPECT_THAT(text, Not(HasSubstr("long")));
}

// No terminal, no escape codes in a log file.
TEST(Progress, NothingIsShownWithoutATerminal) {
  Progress progress("reading", 2, {nullptr, 80, 0ms});
  progress.step("a.cu");
  EXPECT_EQ(Progress::Terminal().out, nullptr);
}

TEST(Progress, AnyThreadMayStep) {
  std::string text;
  llvm::raw_string_ostream out(text);
  {
    Progress progress("reading", 4000, {&out, 80, 1ms});
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (int step = 0; step < 1000; ++step)
          progress.step("a.cu");
      });
    for (std::thread &thread : threads)
      thread.join();
    std::this_thread::sleep_for(300ms);
  }
  EXPECT_THAT(text, HasSubstr("reading 4000/4000 a.cu"));
}
