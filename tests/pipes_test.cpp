// Pipes to child processes, which read sources: what they lose is a model.
#include "os/pipes.h"
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace warplint;

namespace {

std::string readAll(int file) {
  std::string text;
  while (readSome(file, text))
    ;
  return text;
}

/// More than a pipe holds.
const std::string large(1 << 20, 'x');

} // namespace

TEST(Pipes, WhatOneProcessWritesTheOtherReads) {
  auto pipes = openPipes();
  ASSERT_TRUE(pipes);
  const pid_t child = fork();
  if (child == 0) {
    closeEnds(pipes->parent);
    writeAll(pipes->child.out, "answer to " + readAll(pipes->child.in));
    _exit(0);
  }
  closeEnds(pipes->child);
  std::thread writer([&] {
    writeAll(pipes->parent.out, large);
    close(pipes->parent.out);
  });
  const std::string text = readAll(pipes->parent.in);
  writer.join();
  close(pipes->parent.in);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(text, "answer to " + large);
}

// nvcc would hold them open, and a reader would wait for its end.
TEST(Pipes, AProgramThatIsStartedDoesNotHoldThem) {
  auto pipes = openPipes();
  ASSERT_TRUE(pipes);
  for (const Ends &ends : {pipes->parent, pipes->child}) {
    EXPECT_TRUE(fcntl(ends.in, F_GETFD) & FD_CLOEXEC);
    EXPECT_TRUE(fcntl(ends.out, F_GETFD) & FD_CLOEXEC);
    closeEnds(ends);
  }
}

// A terminal may be in that mode, and a report would end in its middle.
TEST(Pipes, ANonBlockingFileGetsTheWholeText) {
  auto pipes = openPipes();
  ASSERT_TRUE(pipes);
  fcntl(pipes->parent.out, F_SETFL, O_NONBLOCK);
  std::thread writer([&] {
    writeAll(pipes->parent.out, large);
    close(pipes->parent.out);
  });
  EXPECT_EQ(readAll(pipes->child.in).size(), large.size());
  writer.join();
  close(pipes->parent.in);
  closeEnds(pipes->child);
}

TEST(Pipes, AReaderThatIsGoneEndsTheWriting) {
  auto pipes = openPipes();
  ASSERT_TRUE(pipes);
  signal(SIGPIPE, SIG_IGN);
  closeEnds(pipes->child);
  writeAll(pipes->parent.out, large);
  signal(SIGPIPE, SIG_DFL);
  closeEnds(pipes->parent);
}
