// The time of kernels, by what binds them.
#include "time_of.h"

using namespace warplint;

namespace {

struct KernelTimes : TimeOf {};

} // namespace

TEST_F(KernelTimes, CopiesAreBoundByMemory) {
  const KernelTime &time =
      read("__global__ void k(float *out, const float *in, int n) {\n"
           "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  if (i < n) out[i] = in[i];\n"
           "}\n"
           "int main() { k<<<131072, 256>>>(0, 0, 131072 * 256); }\n");
  EXPECT_EQ(time.bound(), Bound::Dram);
  ASSERT_TRUE(time.microseconds());
  EXPECT_GT(*time.microseconds(), 104 / 2.0); // an H200 takes 104
  EXPECT_LT(*time.microseconds(), 104 * 2.0);
}

// Two divisions by one number share its reciprocal, and the remainder follows
// from the quotient.
TEST_F(KernelTimes, DivisionsOfTheSameNumbersAreCountedOnce) {
  auto instructions = [&](const std::string &indexes) {
    return read("__global__ void k(float *out, int n) {\n"
                "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                "  out[i] = " +
                indexes + ";\n}\n")
        .total()
        .instructions;
  };
  EXPECT_LT(instructions("i / n * 3 + i % n"), instructions("i / n * 3") + 6);
  EXPECT_GT(instructions("i / n * 3 + i / (n + 1)"),
            instructions("i / n * 3") + 15);
}

TEST_F(KernelTimes, DoubleFunctionsBindWhatLoadsLittle) {
  const KernelTime &time =
      read("__global__ void k(double *x, int n) {\n"
           "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  double v = x[i];\n"
           "  for (int j = 0; j < n; ++j) v = exp(v * 0.5);\n"
           "  x[i] = v;\n"
           "}\n");
  EXPECT_TRUE(time.bound() == Bound::Doubles || time.bound() == Bound::Latency);
}

TEST_F(KernelTimes, FewThreadsWaitForLatency) {
  const KernelTime &time = read(
      "__global__ void k(float *out, const float *a, int n) {\n"
      "  float s = 0;\n"
      "  for (int i = 0; i < n; ++i) s += a[(i * 32 + threadIdx.x) * 64];\n"
      "  out[threadIdx.x] = s;\n"
      "}\n"
      "int main() { k<<<1, 32>>>(0, 0, 1000); }\n");
  EXPECT_EQ(time.bound(), Bound::Latency);
  EXPECT_LT(coalescing(time, Operation::Load), 0.3);
}

TEST_F(KernelTimes, NothingSavedIsNoShare) {
  const KernelTime &time =
      read("__global__ void k(int *x, int n) {\n"
           "  for (int i = 0; i < n; ++i) x[i * 64 + threadIdx.x] = i;\n"
           "}\n");
  EXPECT_EQ(time.share({}), 0);
  EXPECT_GT(time.share(time.total()), 0.9);
}

// The rest of the block waits for one thread: the loop is the kernel's time.
TEST_F(KernelTimes, ALoopOfOneThreadTakesMostOfTheTime) {
  const KernelTime &time =
      read("__global__ void k(float *out, const float *a) {\n"
           "  out[blockIdx.x * 256 + threadIdx.x] = 0;\n"
           "  __syncthreads();\n"
           "  if (threadIdx.x == 0) {\n"
           "    float s = 0;\n"
           "    for (int i = 0; i < 1000; ++i) s += a[i];\n"
           "    out[blockIdx.x * 256] = s;\n"
           "  }\n"
           "}\n"
           "int main() { k<<<1024, 256>>>(0, 0); }\n");
  EXPECT_GT(time.share(time.ofLoop(0)), 0.8);
}
