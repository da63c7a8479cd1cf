// What L1 loses of the rows that all lanes walk along.
#include "cost/lost_lines.h"
#include "cost/kernel_time.h"
#include "read_text.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

struct LostLinesOf : testing::Test {
  SourceModel model;
  std::optional<CostedKernel> kernel;

  /// Reads a kernel whose threads add up a row each: `sum` in each iteration.
  const KernelTime &read(const std::string &sum) {
    model = readText("__global__ void k(const int *index, const float *a,\n"
                     "                  const float *x, float *out, int n,\n"
                     "                  int length) {\n"
                     "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                     "  float s = 0;\n"
                     "  for (int k = 0; k < length; ++k) s += " +
                     sum +
                     ";\n"
                     "  out[i] = s;\n"
                     "}\n"
                     "void run(int *p, float *q) {\n"
                     "  k<<<4096, 256>>>(p, q, q, q, 1 << 20, 32);\n"
                     "}\n");
    kernel.emplace(costed(model.kernels.at(0)));
    return timeOf(*kernel, kernel->shapes[0]);
  }
  Demand of(const KernelTime &time, const std::string &object) {
    for (unsigned i = 0; i < kernel->kernel.accesses.size(); ++i)
      if (kernel->kernel.accesses[i].object == object)
        return time.of(i);
    ADD_FAILURE() << object;
    return {};
  }
};

} // namespace

TEST(LostLines, ACacheThatHoldsAllLosesNothing) {
  EXPECT_EQ(lostLines(2048), 0);
  EXPECT_EQ(lostLines(4096), 0.5);
}

// An H100 loads 132 sectors for each warp with one array of such rows and 455
// with two; of 1,749 with a gather in each iteration, 1,000 are the gather's.
TEST_F(LostLinesOf, RowsAreLoadedAgainWhereTheyAreMoreLinesThanL1Has) {
  EXPECT_NEAR(read("a[i * 32 + k]").total().sectors, 132, 1);
  EXPECT_NEAR(read("a[i * 32 + k] * x[i * 32 + k]").total().sectors, 455, 80);
  const KernelTime &ell = read("a[i * 32 + k] * x[index[i * 32 + k]]");
  EXPECT_NEAR(ell.total().sectors, 1749, 200);
  EXPECT_NEAR(of(ell, "x").sectors, 1024, 1);
}

// It was 'about 0 %' of the kernel's time: an H100 takes 544 us with rows that
// each lane has for itself, and 284 with coalesced ones.
TEST_F(LostLinesOf, StridedRowsCostTimeBesideAGather) {
  const KernelTime &time = read("a[i * 32 + k] * x[index[i * 32 + k]]");
  Demand saved;
  for (unsigned i = 0; i < kernel->kernel.accesses.size(); ++i)
    if (kernel->kernel.accesses[i].object != "x") {
      saved += time.of(i);
      saved -= time.coalesced(i);
    }
  EXPECT_GT(time.share(saved), 0.2);
  EXPECT_LT(time.share(saved), 0.5);
}

TEST_F(LostLinesOf, RowsThatTheWarpsOfABlockShareAreOne) {
  const KernelTime &time = read("a[(threadIdx.x % 32) * 32 + k] *"
                                "x[(threadIdx.x % 32) * 32 + k] *"
                                "index[i * 32 + k]");
  EXPECT_NEAR(of(time, "index").sectors, 128, 8);
}
