// What atomics take, where many wait for each other.
#include "time_of.h"
#include <cmath>

using namespace warplint;

namespace {

struct KernelUpdates : TimeOf {};

} // namespace

// An H200 exchanges one word 0.74 ns after the last time, and adds floats to it
// 1.76 ns after.
TEST_F(KernelUpdates, IntegersAreUpdatedFasterThanFloats) {
  auto time = [&](const std::string &type, const std::string &update) {
    return *read("__global__ void k(" + type + " *all, const " + type +
                 " *in) {\n  " + update +
                 "(all, in[blockIdx.x * blockDim.x + threadIdx.x]);\n"
                 "}\n"
                 "int main() { k<<<4096, 256>>>(0, 0); }\n")
                .microseconds();
  };
  EXPECT_NEAR(time("int", "atomicExch"), 773, 80);
  EXPECT_NEAR(time("float", "atomicAdd"), 1846, 190);
}

TEST_F(KernelUpdates, OneUpdatedAddressBindsTheWholeGrid) {
  const KernelTime &time =
      read("__global__ void k(float *sum, const float *in) {\n"
           "  atomicAdd(sum, in[blockIdx.x * blockDim.x + threadIdx.x]);\n"
           "}\n"
           "int main() { k<<<16384, 256>>>(0, 0); }\n");
  EXPECT_EQ(time.bound(), Bound::Atomics);
  // 7.4 ms on an H200
  EXPECT_NEAR(*time.microseconds(), 7372, 1500);
}

// A block adds its histogram to that of the grid: each bin gets one update of
// each block, whatever number of bins a thread adds.
TEST_F(KernelUpdates, IterationsThatUpdateOtherAddressesDoNotWaitForEachOther) {
  auto serial = [&](const std::string &at) {
    return read("__global__ void k(unsigned *bins) {\n"
                "#pragma unroll 1\n"
                "  for (int k = 0; k < 16; ++k)\n"
                "    atomicAdd(&bins[threadIdx.x" +
                at +
                "], threadIdx.x);\n"
                "}\n"
                "int main() { k<<<4096, 256>>>(0); }\n")
        .total()
        .serialNanoseconds;
  };
  EXPECT_NEAR(serial("") / serial(" + 256 * k"), 16, 0.1);
}

// A place for each match: one of a thousand elements may be one. Taken for
// certain, the updates hid what a kernel does with each of them.
TEST_F(KernelUpdates, AnUpdateThatMayBeRareHidesNothing) {
  auto bound = [&](const std::string &condition) {
    return read("__global__ void k(unsigned *count, float *out,\n"
                "                  const float *a) {\n"
                "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                "  float v = 0;\n"
                "  for (int k = 0; k < 8; ++k) v += a[(k * 1048576 + i) * 8];\n"
                "  " +
                condition +
                " out[atomicInc(count, 1 << 30)] = v;\n"
                "}\n"
                "int main() { k<<<4096, 256>>>(0, 0, 0); }\n")
        .bound();
  };
  EXPECT_EQ(bound("if (v < 0.1f)"), Bound::Dram);
  EXPECT_EQ(bound(""), Bound::Atomics);
}

// A histogram of 16 million random numbers: 4.34 ms on an H200.
TEST_F(KernelUpdates, BinsThatDataChooseLieSideBySideInL2) {
  const KernelTime &time =
      read("__global__ void k(const int *in, int *bins) {\n"
           "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  atomicAdd(&bins[in[i] & 255], 1);\n"
           "}\n"
           "int main() { k<<<65536, 256>>>(0, 0); }\n");
  EXPECT_EQ(time.bound(), Bound::Atomics);
  EXPECT_NEAR(*time.microseconds(), 4341, 600);
}

// Sums of floats in 64 bins of each block: 61.6 us on an H200. The compiler's
// loop was taken to wait for all threads of the block one after the other.
TEST_F(KernelUpdates, FewLanesMeetAtTheBinThatDataChoose) {
  const KernelTime &time =
      read("__global__ void k(const float *a, const int *at, float *out) {\n"
           "  __shared__ float sums[64];\n"
           "  if (threadIdx.x < 64) sums[threadIdx.x] = 0;\n"
           "  __syncthreads();\n"
           "  for (int k = 0; k < 16; ++k) {\n"
           "    int i = blockIdx.x * blockDim.x + threadIdx.x + k * 1048576;\n"
           "    atomicAdd(&sums[at[i] & 63], a[i]);\n"
           "  }\n"
           "  __syncthreads();\n"
           "  if (threadIdx.x < 64) atomicAdd(&out[threadIdx.x],\n"
           "                                  sums[threadIdx.x]);\n"
           "}\n"
           "int main() { k<<<4096, 256>>>(0, 0, 0); }\n");
  EXPECT_EQ(time.bound(), Bound::L1);
  EXPECT_NEAR(*time.microseconds(), 61.6, 20);
}

// An H200 takes 0.75 ns for an exchange of each thread, 2.3 for exchanges of
// two neighbours, and no more for two addresses far apart than for one.
TEST_F(KernelUpdates, UpdatesOfOneObjectWaitForEachOther) {
  auto microseconds = [&](const std::string &body) {
    return *read("__global__ void k(int *a, int *b) {\n" + body +
                 "}\nint main() { k<<<4096, 256>>>(0, 0); }\n")
                .microseconds();
  };
  const double one = microseconds("atomicExch(&a[0], threadIdx.x);\n"),
               two = microseconds("atomicExch(&a[0], threadIdx.x);\n"
                                  "atomicExch(&a[1], threadIdx.x);\n"),
               apart = microseconds("atomicExch(&a[0], threadIdx.x);\n"
                                    "atomicExch(&b[0], threadIdx.x);\n");
  EXPECT_GT(one, 500);
  EXPECT_NEAR(two, 2 * one, 0.1 * one);
  EXPECT_NEAR(apart, one, 0.1 * one);
}

// Blocks of a row begin together, and neighbouring rows lie in one slice of L2:
// 4 million updates of 1,024 sums took an H200 1,989 us where 62 were told.
TEST_F(KernelUpdates, BlocksThatRunAtOnceMeetInFewSectors) {
  auto time = [&](const std::string &grid, int block, const std::string &at) {
    return *read("__global__ void k(float *rows, const float *in) {\n"
                 "  atomicAdd(&rows[" +
                 at +
                 "], in[threadIdx.x & 3]);\n"
                 "}\n"
                 "int main() { k<<<dim3(" +
                 grid + "), " + std::to_string(block) + ">>>(0, 0); }\n")
                .microseconds();
  };
  struct Row {
    const char *grid, *at;
    int block;
    double microseconds; ///< of an H200
  };
  const Row rows[] = {
      {"1, 4096", "blockIdx.y", 256, 91.4},
      {"4, 4096", "blockIdx.y", 256, 870},
      {"16, 4096", "blockIdx.y", 256, 7444},
      {"64, 1024", "blockIdx.y", 256, 19248},
      {"64, 256", "blockIdx.y * 32", 1024, 7549},
      {"64, 256", "blockIdx.y * 128", 1024, 6072},
      {"16, 1024", "blockIdx.y * 1024", 1024, 1358},
  };
  for (const Row &row : rows)
    EXPECT_NEAR(std::log(time(row.grid, row.block, row.at) / row.microseconds),
                0, std::log(1.7))
        << row.grid << ' ' << row.at;
}

// Updates of other iterations are under way beside them: an H200 took 3,505 us.
TEST_F(KernelUpdates, IterationsThatLeadElsewhereAreUnderWayTogether) {
  const auto time =
      read("__global__ void k(float *rows, const float *in) {\n"
           "  for (int r = blockIdx.x; r < 1000000; r += gridDim.x)\n"
           "    atomicAdd(&rows[r], in[threadIdx.x]);\n"
           "}\n"
           "int main() { k<<<132, 256>>>(0, 0); }\n")
          .microseconds();
  EXPECT_NEAR(*time / 3505, 1, 0.4);
}
