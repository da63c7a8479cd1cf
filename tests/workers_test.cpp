#include "os/workers.h"
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <vector>

using namespace warplint;

TEST(Workers, EachPieceRunsOnce) {
  for (unsigned threads : {0u, 1u, 3u, 100u}) {
    std::vector<std::atomic<int>> done(57);
    forEachInParallel(
        done.size(), threads, [&](size_t i) { ++done[i]; },
        [&](size_t) { ADD_FAILURE(); });
    for (auto &count : done)
      EXPECT_EQ(count, 1);
  }
}

TEST(Workers, NoPiecesAreNoFailure) {
  forEachInParallel(
      0, 4, [](size_t) { ADD_FAILURE(); }, [](size_t) { ADD_FAILURE(); });
}

// A source that crashes Clang must not affect the others.
TEST(Workers, ACrashEndsItsPieceAlone) {
  std::vector<std::atomic<int>> done(8), crashed(8);
  forEachInParallel(
      8, 2,
      [&](size_t i) {
        if (i == 2)
          std::abort();
        if (i == 5)
          raise(SIGSEGV);
        ++done[i];
      },
      [&](size_t i) { ++crashed[i]; });
  for (size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(done[i], i != 2 && i != 5) << i;
    EXPECT_EQ(crashed[i], i == 2 || i == 5) << i;
  }
}

// Expressions and Clang recurse deeper than the usual 8 MiB of stack allow.
static unsigned depthOf(unsigned left) {
  volatile char frame[4096];
  frame[left % 4096] = 1;
  return left ? depthOf(left - 1) + frame[left % 4096] : 0;
}
TEST(Workers, StacksAreDeep) {
  std::atomic<unsigned> depth = 0;
  forEachInParallel(
      1, 1, [&](size_t) { depth = depthOf(20'000); }, [](size_t) {});
  EXPECT_EQ(depth, 20'000u);
}
