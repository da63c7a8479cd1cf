// A list that a loop has made is no longer than the loop.
#include "cost/counted_values.h"
#include "cost/frequency.h"
#include "kernel_of.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

/// Iterations of the second loop, up to what the first one leaves in 'count'.
Trips tripsOfSecond(const std::string &first, const std::string &begin = "0") {
  const Kernel kernel = kernelOf(
      "__global__ void k(const int *a, int *out, int n) {\n"
      "  int count = 0, radius = 1;\n"
      "  for (int i = 0; i < 20; ++i) {\n    " +
      first +
      "\n  }\n"
      "  for (int j = " +
      begin + "; j < count; ++j) out[j * 256 + threadIdx.x] = a[j];\n}\n");
  return Frequencies(kernel, kernel.shapes[0]).trips(kernel.loops.size() - 1);
}

} // namespace

TEST(CountedValues, AreLimitedByTheLoopThatCounts) {
  for (const char *first :
       {"if (a[i] > 0) ++count;", "count += a[i] > 0;",
        "if (a[i] > 0) { count = radius; if (a[i] > 5) break; } radius++;"}) {
    const Trips trips = tripsOfSecond(first);
    EXPECT_LE(trips.count, 21) << first;
    EXPECT_GT(trips.count, 1) << first;
  }
  EXPECT_LE(tripsOfSecond("if (a[i] > 0) count += 2;").count, 40);
  EXPECT_LE(tripsOfSecond("if (a[i] > 0) ++count;", "-count").count, 40);
}

// A search that may not be begun leaves the first radius.
TEST(CountedValues, ALoopThatMayNotBeEnteredIsOneChoice) {
  const Trips trips = tripsOfSecond(
      "}\n  int q = 1;\n  float sum = 0;\n"
      "  while (sum < a[7] && q < 8) {\n    count = q;\n    sum = a[q];\n"
      "    q++;");
  EXPECT_LE(trips.count, 10);
  EXPECT_GT(trips.count, 1);
}

// A counter that begins below 0 and is set, and one that falls.
TEST(CountedValues, WhatSetsACounterIsNoStep) {
  EXPECT_GE(tripsOfSecond("if (a[i] > 9) count = 200;\n"
                          "    if (i == 0) count = -1000;")
                .count,
            200);
  EXPECT_GE(tripsOfSecond("if (i == 0) count = 100;\n"
                          "    if (a[i] > 9) count -= 2;")
                .count,
            100);
}

TEST(CountedValues, OtherValuesAreNot) {
  for (const char *first :
       {"count += a[i];", "count += n;", "if (a[i] > 0) count = n + i;"})
    EXPECT_GT(tripsOfSecond(first).count, 21) << first;
}

} // namespace warplint
