// What the warps of a launch use to the time that it takes.
#include "time_of.h"

using namespace warplint;

namespace {

struct LaunchTimes : TimeOf {};

} // namespace

TEST_F(LaunchTimes, TheStartOfManyBlocksTakesTime) {
  const KernelTime &time = read("__global__ void k(float *out, int n) {\n"
                                "  if (n < 0) out[threadIdx.x] = 1;\n"
                                "}\n"
                                "int main() { k<<<1048576, 64>>>(0, 1); }\n");
  ASSERT_TRUE(time.microseconds());
  EXPECT_NEAR(*time.microseconds(), 646, 65); // on an H200
  EXPECT_NEAR(time.shareOfStarts(4), 0.75, 0.05);
}

// Nsight Compute says 1.63 us of an empty kernel on an H200; a copy by 132
// blocks takes 0.5 us more. No remedy saves the launch.
TEST_F(LaunchTimes, ALaunchTakesTimeWhateverItDoes) {
  const std::string kernel =
      "__global__ void k(float *out, const float *in, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) out[i] = in[i];\n"
      "}\n";
  const KernelTime &time =
      read(kernel + "int main() { k<<<132, 256>>>(0, 0, 132 * 256); }\n");
  ASSERT_TRUE(time.microseconds());
  EXPECT_NEAR(*time.microseconds(), 2.13, 0.3);
  EXPECT_LT(time.share(time.total()), 0.35);
}

// A kernel of some microseconds was told to save nearly all of its time where
// only the run knows the grid, as if nothing launched it.
TEST_F(LaunchTimes, ALaunchOfAnUnknownGridTakesTimeToo) {
  const KernelTime &time =
      read("__global__ void k(float *out, const float *in) {\n"
           "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  out[i] = in[i];\n"
           "}\n"
           "void f(int n) { k<<<n, 256>>>(0, 0); }\n");
  EXPECT_FALSE(time.microseconds());
  EXPECT_LT(time.share(time.total()), 0.8);
}

// What a warp pays for its block's start does not depend on the grid: blocks of
// 36 threads took 2.7 times as long as others, in a launch whose size only the
// run knows.
TEST_F(LaunchTimes, SmallBlocksOfAnUnknownGridPayTheirStart) {
  const std::string kernel =
      "__global__ void k(float *out, const float *in) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  out[i] = in[i];\n"
      "}\n";
  EXPECT_GT(
      read(kernel + "void f(int n) { k<<<n, 32>>>(0, 0); }\n").shareOfStarts(4),
      0.4);
}

// An H200 takes 206 us for a copy of 256 MB by blocks of 256 threads and 225
// with 32 multiply-adds for each element: starts and DRAM cover most of them.
TEST_F(LaunchTimes, ArithmeticBehindDramAndStartsCostsLittle) {
  auto time = [&](const std::string &steps) {
    return *read("__global__ void k(float *out, const float *in, float c) {\n"
                 "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                 "  float x = in[i];\n"
                 "#pragma unroll\n"
                 "  for (int k = 0; k < " +
                 steps +
                 "; ++k) x = x * c + 1;\n"
                 "  out[i] = x;\n"
                 "}\n"
                 "int main() { k<<<262144, 256>>>(0, 0, 1); }\n")
                .microseconds();
  };
  EXPECT_NEAR(time("1"), 206, 40);
  EXPECT_NEAR(time("32"), 225, 45);
  EXPECT_NEAR(time("128"), 428, 86);
  EXPECT_NEAR(time("384"), 947, 190);
}

// H200: a loop of 32 wavefronts and 147 instructions takes 38 cycles, one of 8
// wavefronts 37.7.
TEST_F(LaunchTimes, SharedMemoryBehindInstructionsCostsNothing) {
  auto conflicts = [&](const std::string &steps) {
    const KernelTime &time =
        read("__global__ void k(float *out, const float *in, float c) {\n"
             "  __shared__ float s[2048];\n"
             "  s[threadIdx.x] = in[threadIdx.x];\n"
             "  __syncthreads();\n"
             "  float sum = 0;\n"
             "  for (int i = 0; i < 1000; ++i) {\n"
             "    float x = s[threadIdx.x * 4 + i];\n"
             "#pragma unroll\n"
             "    for (int k = 0; k < " +
             steps +
             "; ++k) x = x * c + 1;\n"
             "    sum += x;\n"
             "  }\n"
             "  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;\n"
             "}\n"
             "int main() { k<<<1056, 256>>>(0, 0, 1); }\n");
    const std::vector<Access> &all = kernel->kernel.accesses;
    for (unsigned i = 0; i < all.size(); ++i)
      if (all[i].operation == Operation::Load && !all[i].loops.empty()) {
        Demand saved = time.of(i);
        saved -= time.withWavefronts(i, 1);
        return time.share(saved);
      }
    return 0.0;
  };
  EXPECT_LT(conflicts("24"), 0.02) << "4 wavefronts, 28 instructions";
  EXPECT_GT(conflicts("4"), 0.3) << "4 wavefronts, 8 instructions";
}

TEST_F(LaunchTimes, TheStartOfFewBlocksTakesNone) {
  const std::string kernel = "__global__ void k(float *out, int n) {\n"
                             "  for (int i = 0; i < n; ++i)\n"
                             "    out[i * 64 + threadIdx.x] = 1;\n"
                             "}\n";
  EXPECT_LT(read(kernel + "int main() { k<<<64, 64>>>(0, 1000); }\n")
                .shareOfStarts(4),
            0.01);
  EXPECT_LT(read(kernel).shareOfStarts(4), 0.05) << "each block works long";
}

TEST_F(LaunchTimes, FewBlocksHaveMoreOfMemoryEach) {
  auto cycles = [&](const std::string &blocks) {
    const KernelTime &time =
        read("__global__ void k(float *out, const float *in, int n) {\n"
             "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
             "  float4 s = {};\n"
             "  for (int r = 0; r < 4096; ++r) {\n"
             "    float4 one = ((const float4 *)in)[r * n + i];\n"
             "    s.x += one.x + one.y + one.z + one.w;\n"
             "  }\n"
             "  out[i] = s.x;\n"
             "}\n"
             "int main() { k<<<" +
             blocks + ", 1024>>>(0, 0, " + blocks + " * 1024); }\n");
    return time.cycles(time.total());
  };
  EXPECT_LT(cycles("8"), 0.8 * cycles("132"));
}

// Where only the run knows if a gather's data fit into L2: the mean of both.
TEST_F(LaunchTimes, UnsureDataSaveTheMeanOfBothCases) {
  const Throughput &machine = throughputOf(90);
  const LaunchTime launch(WarpsOnSms(132 * 64.0, 8, machine), machine, false);
  Demand now;
  now.sectors = 1000;
  now.dramSectors = now.unsureSectors = 900;
  Demand then = now;
  then.sectors = 500;
  const double both = launch.shareBetween(now, then),
               small =
                   launch.shareBetween(now.ofSmallData(), then.ofSmallData());
  now.unsureSectors = then.unsureSectors = 0;
  const double large = launch.shareBetween(now, then);
  EXPECT_LT(large, small);
  EXPECT_NEAR(both, (large + small) / 2, 1e-9);
}

TEST_F(LaunchTimes, WhatTakesLongestBinds) {
  const Throughput &machine = throughputOf(90);
  const LaunchTime launch(WarpsOnSms(132 * 64.0, 8, machine), machine, false);
  Demand demand;
  demand.instructions = 1000;
  EXPECT_EQ(launch.bound(demand), Bound::Issue);
  demand.logic = 600; // 64 lanes in a cycle, where 128 are issued
  EXPECT_EQ(launch.bound(demand), Bound::Logic);
  demand.products = 700;
  EXPECT_EQ(launch.bound(demand), Bound::Products);
  demand.special = 1000; // 16 lanes
  EXPECT_EQ(launch.bound(demand), Bound::Special);
  demand.latency = 1e6;
  EXPECT_EQ(launch.bound(demand), Bound::Latency);
}
