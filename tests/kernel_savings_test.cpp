// What changes of a kernel save.
#include "time_of.h"

using namespace warplint;

namespace {

struct KernelSavings : TimeOf {};

} // namespace

TEST_F(KernelSavings, StridedLoadsOfAnInnerLoopTakeMostOfTheTime) {
  const KernelTime &time =
      read("__global__ void k(float *out, const float *a, int n) {\n"
           "  int row = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  float s = 0;\n"
           "  for (int i = 0; i < n; ++i) s += a[(i * 4096 + row) * 64];\n"
           "  out[row] = s;\n"
           "}\n");
  EXPECT_GT(coalescing(time, Operation::Load), 0.5);
}

TEST_F(KernelSavings, StridedStoresAfterALongLoopDoNotMatter) {
  const KernelTime &time =
      read("__global__ void k(float *out, const float *a, int n) {\n"
           "  int row = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  float s = 0;\n"
           "  for (int i = 0; i < n; ++i) s += a[i * 4096 + row];\n"
           "  out[row * 64] = s;\n"
           "}\n");
  EXPECT_LT(coalescing(time, Operation::Store), 0.1);
}

// An H200 takes 48.2 microseconds for a kernel whose loop adds to the elements
// of a row in memory, and 29.3 with a local array: 39 %, and 100 were said.
TEST_F(KernelSavings, WhatAMovedStoreHidIsWaitedForThen) {
  const auto nested = [&](const std::string &before, const std::string &sum,
                          const std::string &after) -> const KernelTime & {
    return read("__global__ void k(const float *__restrict__ in,\n"
                "                  float *__restrict__ out) {\n"
                "  int at = (blockIdx.x * blockDim.x + threadIdx.x) * 49;\n"
                "  for (int i = 0; i < 7; ++i) {\n" +
                before +
                "    for (int k = 0; k < 7; ++k)\n"
                "      for (int j = 0; j < 7; ++j)\n"
                "        " +
                sum + " += in[at + 7 * i + k] * in[at + 7 * k + j];\n" +
                after +
                "  }\n"
                "}\n"
                "int main() { k<<<512, 4>>>(0, 0); }\n");
  };
  const std::string row = "for (int j = 0; j < 7; ++j) ",
                    element = "out[at + 7 * i + j]";
  const double cured = *nested("float sum[7];" + row + "sum[j] = " + element +
                                   ";\n",
                               "sum[j]", row + element + " = sum[j];\n")
                            .microseconds();
  const KernelTime &time = nested("", element, "");
  std::vector<unsigned> moved;
  for (unsigned i = 0; i < kernel->kernel.accesses.size(); ++i)
    if (kernel->kernel.accesses[i].object == "out")
      moved.push_back(i);
  EXPECT_NEAR(time.share(time.savedOutside(moved, 1)),
              1 - cured / *time.microseconds(), 0.15);
}

// Of a thread that stores one word, what is left is the start of its block.
TEST_F(KernelSavings, NoRemedySavesTheStartOfBlocks) {
  const KernelTime &time = read("__global__ void k(int *x) {\n"
                                "  x[threadIdx.x] = 1;\n"
                                "}\n");
  EXPECT_LT(time.share(time.total()), 0.5);
}

// The next warp loads the sector that a misaligned request shares with it.
TEST_F(KernelSavings, MisalignedCopiesTakeHardlyLonger) {
  auto microseconds = [&](const std::string &offset) {
    return *read("__global__ void k(float *out, const float *in) {\n"
                 "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                 "  out[i] = in[i + " +
                 offset +
                 "];\n"
                 "}\n"
                 "int main() { k<<<131072, 256>>>(0, 0); }\n")
                .microseconds();
  };
  EXPECT_LT(microseconds("1"), 1.05 * microseconds("8"));
}

// An H100 takes 96 microseconds for the first, 49 for the second; that is 35 at
// the rate of an H200's DRAM.
TEST_F(KernelSavings, NeighbouringStoresJoinIfNoLoadKeepsThemApart) {
  auto timeFor = [&](const std::string &promise) {
    return read("__global__ void k(float *" + promise + " out, const float *" +
                promise +
                " in) {\n"
                "  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);\n"
                "  out[i] = 3 - in[i];\n"
                "  out[i + 1] = 3 - in[i + 1];\n"
                "  out[i + 2] = 3 - in[i + 2];\n"
                "  out[i + 3] = 3 - in[i + 3];\n"
                "}\n"
                "int main() { k<<<16384, 256>>>(0, 0); }\n")
        .microseconds()
        .value_or(0);
  };
  const double apart = timeFor(""), joined = timeFor("__restrict__");
  EXPECT_GT(apart, 1.5 * joined);
  EXPECT_NEAR(joined, 35, 5);
}

// A warp for each row: 33x was measured on an H200 with 16 blocks.
TEST_F(KernelSavings, SharingTheRowsGivesWorkToAllSms) {
  auto share = [&](const std::string &blocks) {
    const KernelTime &time =
        read("__global__ void k(float *out, const float *a, const float *x) {\n"
             "  int row = blockIdx.x * blockDim.x + threadIdx.x;\n"
             "  float s = 0;\n"
             "  for (int i = 0; i < 4096; ++i) s += a[row * 4096 + i] * x[i];\n"
             "  out[row] = s;\n"
             "}\n"
             "int main() { k<<<" +
             blocks + ", 256>>>(0, 0, 0); }\n");
    Demand saved = time.of(loadOfA());
    saved -= time.coalesced(loadOfA());
    const double alone = time.share(saved);
    saved += time.savedBySharing(0, saved);
    return std::pair(alone, time.share(saved));
  };
  const auto few = share("16"), many = share("16384");
  EXPECT_LT(few.first, 0.88);
  EXPECT_GT(few.second, 0.9);
  EXPECT_NEAR(many.first, many.second, 0.05);
}

// Of warps that an SM holds at once, none waits for another one.
TEST_F(KernelSavings, FewerWarpsSaveNoWaitWhereAllFit) {
  auto saved = [&](const std::string &blocks) {
    const KernelTime &time =
        read("__global__ void k(float *out, const float *a) {\n"
             "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
             "  out[i] = a[i];\n"
             "}\n"
             "int main() { k<<<" +
             blocks + ", 100>>>(0, 0); }\n");
    return time.savedByFewerWarps(100 / 128.0).latency;
  };
  EXPECT_DOUBLE_EQ(saved("132"), 0);
  EXPECT_GT(saved("132000"), 0);
}

// Blocks of one thread as one warp: the threads load their rows apart as
// before, and neighbours together.
TEST_F(KernelSavings, JoinedBlocksKeepTheWavefrontsOfRowsApart) {
  auto left = [&](const std::string &index) {
    const KernelTime &time =
        read("__global__ void k(float *out, const float *a) {\n"
             "  float s = 0;\n"
             "  for (int i = 0; i < 64; ++i) s += a[" +
             index +
             "];\n"
             "  out[blockIdx.x] = s;\n"
             "}\n"
             "int main() { k<<<100000, 1>>>(0, 0); }\n");
    const Demand saved = time.savedByFewerWarps(1 / 32.0);
    return 1 - saved.wavefronts / time.total().wavefronts;
  };
  EXPECT_GT(left("blockIdx.x * 64 + i"), 0.9);
  EXPECT_LT(left("blockIdx.x + 100000 * i"), 0.1);
}
