// Tests what a request to a local array touches.
#include "cost/local_arrays.h"
#include "kernel_of.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

constexpr uint32_t all = ~uint32_t(0);

LaneValues stepping(uint64_t bytes) {
  LaneValues address;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    address.value[lane] = 4096 + lane * bytes;
  return address;
}

} // namespace

TEST(LocalArrays, OneIndexForAllLanesIsOneLine) {
  const LocalRequest request = localRequest(stepping(0), all, 4, 64);
  EXPECT_EQ(request.lines, 1);
  EXPECT_EQ(request.sectors, 4);
  EXPECT_EQ(localRequest(stepping(0), all, 16, 64).lines, 4);
}

TEST(LocalArrays, IndexesOfTheirOwnAreALineEach) {
  EXPECT_EQ(localRequest(stepping(4), all, 4, 128).lines, 32);
  EXPECT_EQ(localRequest(stepping(4), all, 4, 128).sectors, 32);
  EXPECT_EQ(localRequest(stepping(4), 0xff, 4, 128).lines, 8);
  // Four bytes of an array of characters share a word.
  EXPECT_EQ(localRequest(stepping(1), all, 1, 32).lines, 8);
}

TEST(LocalArrays, UnknownIndexesAreSpreadOverTheArray) {
  LaneValues unknown;
  unknown.unknown = all;
  EXPECT_NEAR(localRequest(unknown, all, 4, 32).lines, 7.9, 0.1);
  EXPECT_EQ(localRequest(unknown, all, 4, 4).lines, 1);
  EXPECT_LE(localRequest(unknown, all, 4, 4096).lines, 32);
  unknown.uniform = true;
  EXPECT_EQ(localRequest(unknown, all, 4, 32).lines, 1);
}

// nvcc 13 for sm_75, sm_90 and sm_120: what is selected has no stack frame, so
// a finding without the compiler's word would be false.
TEST(LocalArrays, AFewAccessesToShortArraysOfWordsAreSelections) {
  auto isSelectedIn = [](const std::string &type, unsigned count,
                         const std::string &uses) {
    const Kernel kernel = kernelOf(
        "__global__ void k(float *o, const float *in, const int *ix, int n) {\n"
        "  " +
        type + " a[" + std::to_string(count) +
        "];\n"
        "#pragma unroll\n"
        "  for (int i = 0; i < " +
        std::to_string(count) +
        "; ++i)\n"
        "    a[i] = in[i * 32 + threadIdx.x];\n"
        "  float s = 0;\n" +
        uses + "  o[threadIdx.x] = s;\n}\n");
    return !kernel.arrays.empty() && isSelected(kernel, 0);
  };
  const std::string one = "  s += a[n];\n";
  const std::string four = "  s += a[n] * a[ix[0]] + a[ix[1]] * a[ix[2]];\n";
  const std::string loop = "  for (int t = 0; t < n; ++t) s += a[ix[t]];\n";
  EXPECT_TRUE(isSelectedIn("float", 64, one));
  EXPECT_FALSE(isSelectedIn("float", 128, one));
  EXPECT_TRUE(isSelectedIn("float", 12, four));
  EXPECT_FALSE(isSelectedIn("float", 16, four));
  EXPECT_TRUE(isSelectedIn("float", 2, loop));
  EXPECT_FALSE(isSelectedIn("float", 6, loop));
  const std::string two = "  s += a[n] * a[ix[0]];\n";
  EXPECT_TRUE(isSelectedIn("float", 32, two));
  EXPECT_FALSE(isSelectedIn("float", 64, two));
  EXPECT_FALSE(isSelectedIn("double", 2, one));
  EXPECT_FALSE(isSelectedIn("char", 4, one));
}
