// What a compiler computes once, though the source has it again.
#include "cost/divisions.h"
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

// The roots of the four elements of a vector are four.
TEST(RepeatedOperations, ElementsOfOneLoadAreOthers) {
  for (const char *body :
       {"float2 v = a[i]; o[i] = make_float2(sqrtf(v.x), sqrtf(v.y));",
        "float4 v = ((float4 *)a)[i];"
        "o[i] = make_float2(sqrtf(v.x) * sqrtf(v.y), sqrtf(v.z) * sqrtf(v.w));",
        "int4 v = ((int4 *)a)[i];"
        "((int2 *)o)[i] = make_int2(v.x / 7 - v.y / 7, v.z / 7 - v.w / 7);",
        "int4 v = ((int4 *)a)[i];"
        "((int2 *)o)[i] = make_int2(v.x / n - v.y / n, v.z / n - v.w / n);",
        "unsigned long long v = ((unsigned long long *)a)[i];"
        "o[i].x = __sinf((unsigned)v) - __sinf((unsigned)(v >> 32));"}) {
    const Kernel kernel = kernelOf("__global__ void k(const float2 *a, "
                                   "float2 *o, int n) {\n"
                                   "  int i = threadIdx.x;\n  " +
                                   std::string(body) + "\n}\n");
    const std::vector<bool> repeated = repeatedOperations(kernel);
    for (size_t i = 0; i < repeated.size(); ++i) {
      const Computation &operation = kernel.operations[i];
      EXPECT_FALSE(repeated[i] &&
                   (isFloat(operation.type) || isDivision(operation)))
          << body << ": " << kernel.writtenOf(operation).text;
    }
  }
}

// One element has one root, in one place or in another.
TEST(RepeatedOperations, AnElementIsTheSameInEachPlace) {
  EXPECT_EQ(repeats(kernelOf(R"(
__global__ void k(const float2 *a, float *o, int m) {
  float2 v = a[threadIdx.x];
  o[threadIdx.x] = sqrtf(v.y);
  if (m > 3)
    o[threadIdx.x + 64] = sqrtf(a[threadIdx.x].y);
}
)")),
            1u);
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
  EXPECT_EQ(shared("if (m > 7) s += v / m;"), 0) << "and of a flag as well";
  EXPECT_EQ(shared("s += m / v;"), 0);
}

// A tree in shared memory: nvcc 13.0 makes masks of its remainders, and a back
// propagation counted 2.4 times the instructions that an H200 executes.
TEST(RepeatedOperations, AStepOfAnUnrolledLoopIsAConstant) {
  auto left = [](const std::string &loop) {
    const Kernel kernel = kernelOf("__global__ void k(int *a, int n) {\n"
                                   "  for (" +
                                   loop +
                                   ")\n    if (threadIdx.x % i == 0)\n"
                                   "      a[threadIdx.x + i] += i;\n}\n");
    const std::vector<PipeCounts> shared =
        sharedByDivisions(kernel, repeatedOperations(kernel));
    double instructions = 0;
    for (size_t i = 0; i < kernel.operations.size(); ++i)
      if (isDivision(kernel.operations[i]))
        instructions +=
            pipesOf(kernel, kernel.operations[i]).all() - shared[i].all();
    return instructions;
  };
  EXPECT_EQ(left("unsigned i = 1; i <= 16; i *= 2"), 1) << "a mask";
  EXPECT_EQ(left("unsigned i = 3; i <= 9; i += 2"), 4) << "a product";
  EXPECT_GT(left("unsigned i = 1; i <= n; i *= 2"), 15);
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
