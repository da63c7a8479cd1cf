// The time of kernels by what binds them, and what changes would save.
#include "cost/kernel_time.h"
#include "read_text.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

struct TimeOf : testing::Test {
  SourceModel model;
  std::optional<CostedKernel> kernel;

  const KernelTime &read(const std::string &text) {
    model = readText(text);
    kernel.emplace(costed(model.kernels.at(0)));
    return timeOf(*kernel, kernel->shapes[0]);
  }
  /// The share that coalescing saves of the first access of this kind.
  double coalescing(const KernelTime &time, Operation operation) {
    const std::vector<Access> &all = kernel->kernel.accesses;
    const unsigned access = llvm::find_if(all,
                                          [&](const Access &one) {
                                            return one.operation == operation;
                                          }) -
                            all.begin();
    Demand saved = time.of(access);
    saved -= time.coalesced(access);
    return time.share(saved);
  }
};

} // namespace

TEST_F(TimeOf, CopiesAreBoundByMemory) {
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

TEST_F(TimeOf, StridedLoadsOfAnInnerLoopTakeMostOfTheTime) {
  const KernelTime &time =
      read("__global__ void k(float *out, const float *a, int n) {\n"
           "  int row = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  float s = 0;\n"
           "  for (int i = 0; i < n; ++i) s += a[(i * 4096 + row) * 64];\n"
           "  out[row] = s;\n"
           "}\n");
  EXPECT_GT(coalescing(time, Operation::Load), 0.5);
}

TEST_F(TimeOf, StridedStoresAfterALongLoopDoNotMatter) {
  const KernelTime &time =
      read("__global__ void k(float *out, const float *a, int n) {\n"
           "  int row = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  float s = 0;\n"
           "  for (int i = 0; i < n; ++i) s += a[i * 4096 + row];\n"
           "  out[row * 64] = s;\n"
           "}\n");
  EXPECT_LT(coalescing(time, Operation::Store), 0.1);
}

TEST_F(TimeOf, OneUpdatedAddressBindsTheWholeGrid) {
  const KernelTime &time =
      read("__global__ void k(float *sum, const float *in) {\n"
           "  atomicAdd(sum, in[blockIdx.x * blockDim.x + threadIdx.x]);\n"
           "}\n"
           "int main() { k<<<16384, 256>>>(0, 0); }\n");
  EXPECT_EQ(time.bound(), Bound::Atomics);
  // 7.4 ms on an H200
  EXPECT_NEAR(*time.microseconds(), 7372, 1500);
}

TEST_F(TimeOf, DoubleFunctionsBindWhatLoadsLittle) {
  const KernelTime &time =
      read("__global__ void k(double *x, int n) {\n"
           "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  double v = x[i];\n"
           "  for (int j = 0; j < n; ++j) v = exp(v * 0.5);\n"
           "  x[i] = v;\n"
           "}\n");
  EXPECT_TRUE(time.bound() == Bound::Doubles || time.bound() == Bound::Latency);
}

TEST_F(TimeOf, FewThreadsWaitForLatency) {
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

TEST_F(TimeOf, NothingSavedIsNoShare) {
  const KernelTime &time = read("__global__ void k(int *x) {\n"
                                "  x[threadIdx.x] = 1;\n"
                                "}\n");
  EXPECT_EQ(time.share({}), 0);
  EXPECT_GT(time.share(time.total()), 0.99);
}

// The rest of the block waits for one thread: the loop is the kernel's time.
TEST_F(TimeOf, ALoopOfOneThreadTakesMostOfTheTime) {
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
