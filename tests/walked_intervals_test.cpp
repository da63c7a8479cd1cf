// How often a loop finds the interval that a value lies in, of kernels as
// users write them.
#include "cost/walked_intervals.h"
#include "frequency_of.h"

using namespace warplint;

namespace {

struct IntervalsOf : FrequencyOf {
  /// The executions of the store by a warp, where `condition` is tested in 512
  /// iterations over `i` with `v`, that the lane has loaded.
  double executions(const std::string &condition,
                    const std::string &value = "d[t]",
                    const std::string &inside = "") {
    const auto found =
        stores("__global__ void k(const float *d, const float *edge,\n"
               "                  float step, int *out) {\n"
               "  int t = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  float v = " +
               value + ";\n  for (int i = 0; i < 512; ++i)\n    if (" +
               condition + ")\n" + inside +
               "      out[i * 16384 + t] = i;\n}\n"
               "int main() { k<<<64, 256>>>(0, 0, 0.1f, 0); }\n");
    return found.empty() ? -1 : found[0].perWarp;
  }
};

/// Of 32 lanes, whose intervals may be the same.
const double ofWarp = 512 * (1 - std::pow(1 - 1 / 512., 32));

} // namespace

// GPUMD's histogram of distances: 90 % of the time were told for atomics that
// each lane makes once.
TEST_F(IntervalsOf, AValueLiesInOneIntervalOfTheLoop) {
  EXPECT_NEAR(executions("v > i * step && v <= (i + 1) * step"), ofWarp, 1e-6);
  EXPECT_NEAR(executions("!(v < (i * step) * (i * step)) &&\n"
                         "        !(v >= ((i + 1) * step) * ((i + 1) * step))"),
              ofWarp, 1e-6);
  // Of bounds that fall.
  EXPECT_NEAR(executions("v < (512 - i) * step && v >= (511 - i) * step"),
              ofWarp, 1e-6);
}

TEST_F(IntervalsOf, OneValueOfAllLanesLiesInOne) {
  EXPECT_NEAR(executions("i * step <= v && v < (i + 1) * step", "d[0]"), 1,
              1e-6);
}

TEST_F(IntervalsOf, CodeInALoopInsideRunsWhereItBegins) {
  EXPECT_NEAR(executions("i * step <= v && v < (i + 1) * step", "d[t]",
                         "      for (int j = 0; j < 4; ++j)\n"),
              4 * ofWarp, 1e-6);
}

// Of a warp of one lane that looks, and one of 32.
TEST_F(IntervalsOf, EachWarpLooksWithItsLanes) {
  const double one =
      executions("i * step <= v && v < (i + 1) * step && threadIdx.x >= 31");
  EXPECT_NEAR(one, (1 + 7 * ofWarp) / 8, 1e-6);
}

// A launch that may pass other sizes has as few lanes in one interval.
TEST_F(IntervalsOf, AreLookedForWhereTheLaunchKnowsAnEndAlone) {
  model = readText("__global__ void k(const float *d, float step, int n,\n"
                   "                  int *out) {\n"
                   "  int t = blockIdx.x * blockDim.x + threadIdx.x;\n"
                   "  float v = d[t];\n"
                   "  for (int i = 0; i < 512; ++i)\n"
                   "    if (n == 5 && v > i * step && v <= (i + 1) * step)\n"
                   "      out[i * 16384 + t] = i;\n}\n"
                   "int main() { k<<<64, 256>>>(0, 0.1f, 7, 0); }\n");
  ASSERT_EQ(model.kernels.size(), 1u);
  Kernel &kernel = model.kernels[0];
  kernel.shapes[0].launches[0].ends = {2};
  Frequencies frequencies(kernel, kernel.shapes[0]);
  const Access &store = kernel.accesses.back();
  ASSERT_EQ(store.operation, Operation::Store);
  EXPECT_NEAR(frequencies.of(store.loops, store.guard).perWarp, ofWarp, 1e-6);
  EXPECT_NEAR(frequencies.partOfLanes(store.loops, store.guard), 1 / ofWarp,
              1e-6);
}

// Intervals that overlap may hold the value again and again; so may those that
// begin again, and those between the points of a curve.
TEST_F(IntervalsOf, OtherBoundsAreNoIntervals) {
  EXPECT_NEAR(executions("edge[i] <= v && v < edge[i + 1]"), 512, 1e-6);
  EXPECT_NEAR(executions("i % 8 * step <= v && v < (i % 8 + 1) * step"), 512,
              1e-6);
  EXPECT_NEAR(executions("(i & 3) * step <= v && v < ((i & 3) + 1) * step"),
              512, 1e-6);
  EXPECT_NEAR(executions("edge[i] <= v && v < edge[i + 2]"), 512, 1e-6);
  EXPECT_NEAR(executions("edge[i] - 1 <= v && v < edge[i] + 1"), 512, 1e-6);
  EXPECT_NEAR(executions("edge[i] <= v"), 512, 1e-6);
  EXPECT_NEAR(executions("edge[i] <= v && d[t + 1] < edge[i + 1]"), 512, 1e-6);
}
