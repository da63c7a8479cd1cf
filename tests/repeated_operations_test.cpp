// What a compiler computes once, though the source has it again.
#include "cost/repeated_operations.h"
#include "kernel_of.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

unsigned repeats(const Kernel &kernel) {
  return llvm::count(repeatedOperations(kernel), true);
}

// Macros that compute a size again and again cost it once.
TEST(RepeatedOperations, TheSameOperationIsExecutedOnce) {
  EXPECT_EQ(repeats(kernelOf(R"(
__global__ void k(int *a, int n, int m) {
  a[0] = n * m;
  a[1] = n * m + 1;
}
)")),
            1u);
}

// The second root is of what the first one stored, in a register.
TEST(RepeatedOperations, AStoredValueIsAnother) {
  EXPECT_EQ(repeats(kernelOf(R"(
__global__ void k(int *a, int m) {
  a[threadIdx.x] = a[threadIdx.x] * m;
  a[threadIdx.x] = a[threadIdx.x] * m;
}
)")),
            0u);
}

// 'i / n' and 'i % n' are one division, and all by 'n' have one reciprocal.
TEST(RepeatedOperations, DivisionsShareReciprocalAndQuotient) {
  auto shared = [](const std::string &body) {
    PipeCounts sum;
    const Kernel kernel = kernelOf("__global__ void k(int *a, int n, int m) {\n"
                                   "int i = threadIdx.x;\n" +
                                   body + "\n}\n");
    for (const PipeCounts &each :
         sharedByDivisions(kernel, repeatedOperations(kernel)))
      sum += each;
    return sum.special;
  };
  EXPECT_EQ(shared("a[i] = i / n;"), 0);
  EXPECT_EQ(shared("a[i] = i / n + i % n;"), 3);
  EXPECT_EQ(shared("a[i] = i / n + (i + 5) % n;"), 3);
  EXPECT_EQ(shared("a[i] = i / n + i % m;"), 0);
  EXPECT_EQ(shared("a[i] = i / n; if (m > 3) a[i + 64] = i % n;"), 3);
  EXPECT_EQ(shared("if (m > 3) a[i] = i / n; a[i + 64] = i % n;"), 0)
      << "it may not have been computed";
  EXPECT_EQ(shared("if (m > 3) a[i] = i / n; else a[i + 64] = i % n;"), 0);
  EXPECT_EQ(shared("a[i] = i / 7 + i % 7;"), 0) << "no reciprocal is needed";
}

// 16 divisions by an argument take an H200 as long as 16 without its reciprocal
// and one more: 17 slots each, not 23.
TEST(RepeatedOperations, TheReciprocalOfWhatALoopLeavesStandsBeforeIt) {
  auto shared = [](const std::string &body) {
    const Kernel kernel = kernelOf("__global__ void k(int *a, int n, int m) {\n"
                                   "int s = 0;\n"
                                   "for (int j = 0; j < n; ++j) {\n"
                                   "int v = a[j * 32 + threadIdx.x];\n" +
                                   body + "\n}\na[threadIdx.x] = s;\n}\n");
    PipeCounts sum;
    for (const PipeCounts &each :
         sharedByDivisions(kernel, repeatedOperations(kernel)))
      sum += each;
    return sum.special;
  };
  EXPECT_GT(shared("s += v / m;"), 2);
  EXPECT_GT(shared("s += v % m;"), 2);
  EXPECT_EQ(shared("if (v > 7) s += v / m;"), 0)
      << "nvcc leaves it behind the branch";
  EXPECT_EQ(shared("s += m / v;"), 0);
}

// Flags of a lattice's walls: 24 remainders of each branch, all of them
// computed before it.
TEST(RepeatedOperations, WhatWasExecutedForCertainServesBranchesAndLoops) {
  EXPECT_EQ(repeats(kernelOf(R"(
__global__ void k(int *a, int n, int m) {
  a[0] = n * m;
  if (n > 3) {
    a[1] = n * m;
    if (m > 5)
      for (int i = 0; i < n; ++i)
        a[i] = n * m;
  }
}
)")),
            2u);
}

TEST(RepeatedOperations, WhatFollowsTheBranchIsComputedBeforeIt) {
  const Kernel kernel = kernelOf(R"(
__global__ void k(int *a, int n, int m) {
  if (m > 5)
    a[0] = n / m;
  a[1] = n / m;
}
)");
  const std::vector<bool> repeated = repeatedOperations(kernel);
  ASSERT_EQ(llvm::count(repeated, true), 1);
  for (size_t i = 0; i < repeated.size(); ++i) {
    if (repeated[i]) {
      EXPECT_EQ(kernel.writtenOf(kernel.operations[i]).place.line, 4u)
          << "the one that all threads execute counts";
    }
  }
}

TEST(RepeatedOperations, OtherInputsOrAnotherConditionAreNoRepetition) {
  EXPECT_EQ(repeats(kernelOf(R"(
__global__ void k(int *a, int n, int m) {
  a[0] = n * m;
  a[1] = n * n;
  if (m > 3)
    a[2] = n + m;
  else
    a[2] = n + m;
  a[3] = n & m;
  a[4] = n | m;
}
)")),
            0u);
}

} // namespace

} // namespace warplint
