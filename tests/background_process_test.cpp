// The editor's server lints in such a process, and drops it at a keystroke.
#include "os/background_process.h"
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace warplint;

namespace {

std::string answerOf(llvm::function_ref<std::string()> work) {
  BackgroundProcess process(work);
  while (process.read()) {
  }
  return process.answer().str();
}

} // namespace

TEST(BackgroundProcess, ReturnsTheAnswer) {
  EXPECT_EQ(answerOf([] { return "answer\n"; }), "answer\n");
  const std::string large(1 << 20, 'x'); // more than a pipe holds
  EXPECT_EQ(answerOf([&] { return large; }), large);
}

TEST(BackgroundProcess, ACrashGivesNoAnswer) {
  EXPECT_EQ(answerOf([]() -> std::string { std::abort(); }), "");
  EXPECT_EQ(answerOf([]() -> std::string { _exit(0); }), "");
}

TEST(BackgroundProcess, WhatItPrintsIsNotShown) {
  testing::internal::CaptureStdout();
  answerOf([] {
    if (write(1, "Clang crashed", 13) < 0)
      return "";
    return "x";
  });
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(BackgroundProcess, EndsWithItsOwner) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  {
    BackgroundProcess process([&]() -> std::string {
      for (;;)
        pause();
    });
    EXPECT_GE(process.file(), 0);
    close(ends[1]); // now the child process alone holds it
  }
  char byte;
  EXPECT_EQ(read(ends[0], &byte, 1), 0) << "the child process lives on";
  close(ends[0]);
}
