// Tests what a kernel executes beside the operations that its source writes.
#include "cost/bookkeeping.h"
#include "kernel_of.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

PipeCounts atLine(const Kernel &kernel, unsigned line) {
  PipeCounts sum;
  for (const Bookkeeping &each : bookkeepingOf(kernel))
    if (each.place.line == line)
      sum += each.pipes;
  return sum;
}

// The smallest kernels are half parameters, indexes and their end: without
// these the source side would be half of the compiled one.
TEST(Bookkeeping, AKernelReadsItsParametersAndIndexes) {
  const Kernel kernel = kernelOf(R"(
__global__ void k(const float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] + 1.0f;
}
)");
  const PipeCounts frame = atLine(kernel, 2);
  // The stack pointer, two pointers, the block's size.
  EXPECT_EQ(frame.memory, 4);
  // Two indexes, the end and its padding.
  EXPECT_EQ(frame.control, 4);
  EXPECT_EQ(frame.alu, 1);
  // A product and a sum of 64 bits for each of two addresses.
  EXPECT_EQ(atLine(kernel, 4).fma, 2);
}

// ptxas adds up the lanes' updates of one address: a count has ten instructions
// more than its atomic.
TEST(Bookkeeping, LanesThatUpdateOneAddressElectOne) {
  auto extra = [](const std::string &update) {
    return atLine(kernelOf("__global__ void k(int *count, int *out) {\n"
                           "  int i = threadIdx.x;\n  " +
                           update + ";\n}\n"),
                  3)
        .all();
  };
  EXPECT_EQ(extra("atomicAdd(count, 1)"), 6);
  EXPECT_GT(extra("out[i] = atomicAdd(count, 1)"), 12);
  EXPECT_LE(extra("atomicAdd(count + i, 1)"), 1) << "an address for each lane";
}

// The vote is one, whatever follows it: nine counts of a block took 49
// instructions, 67 were said.
TEST(Bookkeeping, CountsUnderOneConditionElectALaneOnce) {
  auto alu = [](const std::string &counts) {
    return atLine(kernelOf("__global__ void k(int *c, int n) {\n" + counts +
                           "\n}\n"),
                  2)
        .alu;
  };
  EXPECT_GT(alu("atomicAdd(c, 1);"), 0);
  EXPECT_EQ(alu("atomicAdd(c, 1); atomicAdd(c + 1, 1);"),
            alu("atomicAdd(c, 1);") + 1);
}

TEST(Bookkeeping, NeighboursShareAnAddress) {
  const Kernel kernel = kernelOf(R"(
__global__ void k(float *a) {
  int i = threadIdx.x;
  a[i] = a[i + 1] + a[i + 2];
}
)");
  EXPECT_EQ(atLine(kernel, 4).fma, 1);
}

TEST(Bookkeeping, AnIndexOf64BitsTakesTwoInstructions) {
  const Kernel kernel = kernelOf(R"(
__global__ void k(float *a, long n) {
  a[n * threadIdx.x] = 1.0f;
}
)");
  EXPECT_EQ(atLine(kernel, 3).fma, 0);
  EXPECT_EQ(atLine(kernel, 3).alu, 2);
}

// A loop is entered behind a test of its own.
TEST(Bookkeeping, ALoopOfUnknownLengthIsTestedOnceMore) {
  const Kernel kernel = kernelOf(R"(
__global__ void k(float *a, int n) {
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum = sum * 0.5f + 1.0f;
  for (int k = 0; k < 8; ++k)
    sum = sum * 0.5f + 1.0f;
  a[0] = sum;
}
)");
  EXPECT_EQ(atLine(kernel, 4).control, 1);
  EXPECT_EQ(atLine(kernel, 6).control, 0);
}

TEST(Bookkeeping, PartsOfOneConditionMeetOnce) {
  const Kernel kernel = kernelOf(R"(
__global__ void k(float *a, int n, int m) {
  float sum = 0;
  for (int k = 0; k < n; ++k)
    if (a[k] > 1.0f && a[k + m] < 2.0f)
      sum += a[k + 1] / a[k + 2] + a[k + 3] / a[k + 4];
  a[0] = sum;
}
)");
  EXPECT_EQ(atLine(kernel, 5).control, 2);
}

TEST(Bookkeeping, ABarrierIsAnInstruction) {
  const Kernel kernel = kernelOf(R"(
__global__ void k(float *a) {
  a[threadIdx.x] = 1.0f;
  __syncthreads();
  a[threadIdx.x + 64] = a[threadIdx.x ^ 1];
}
)");
  EXPECT_EQ(atLine(kernel, 4).control, 1);
}

// 'a[i]' and 'a[i - 1]' are one address, and so are 'a[2 * i]' and its next.
TEST(Bookkeeping, AConstantDistanceIsPartOfTheAccess) {
  auto addresses = [](const std::string &body) {
    return atLine(kernelOf("__global__ void k(float *a, int i) {\n" + body +
                           "\n}\n"),
                  2)
        .fma;
  };
  EXPECT_EQ(addresses("a[i] = 1;"), 1);
  EXPECT_EQ(addresses("a[i] = 1; a[i - 1] = 2; a[i + 7] = 3;"), 1);
  EXPECT_EQ(addresses("a[(i - 1) * 8] = 1; a[i << 3] = 2;"), 1);
  EXPECT_EQ(addresses("a[i * 8] = 1; a[i * 4] = 2;"), 2);
}

TEST(Bookkeeping, AnIndexOfBytesIsAddedInTwoHalves) {
  const PipeCounts pipes = atLine(
      kernelOf("__global__ void k(char *a, int i) {\n a[i] = 1; }\n"), 2);
  EXPECT_EQ(pipes.fma, 0);
  EXPECT_EQ(pipes.alu, 2);
}

} // namespace

} // namespace warplint
