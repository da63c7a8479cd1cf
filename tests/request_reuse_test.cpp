// What caches have already of what a request touches.
#include "time_of.h"

using namespace warplint;

namespace {

struct RequestReuses : TimeOf {};

} // namespace

// Blocks of a row of the grid load the same elements of 'a', which L2 keeps.
TEST_F(RequestReuses, BlocksThatLoadTheSameShareItInL2) {
  const KernelTime &time =
      read("__global__ void k(float *out, const float *a, int n) {\n"
           "  int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y;\n"
           "  float s = 0;\n"
           "  for (int i = 0; i < n; ++i) s += a[(i * 1024 + y) * 256 + "
           "threadIdx.x];\n"
           "  out[y * 16384 + x] = s;\n"
           "}\n"
           "int main() { k<<<dim3(64, 1024), 256>>>(0, 0, 100); }\n");
  const unsigned index =
      kernel->kernel.accesses[0].operation == Operation::Load ? 0 : 1;
  const Demand &load = time.of(index);
  EXPECT_GT(load.sectors, 300);
  EXPECT_NEAR(load.dramSectors, load.sectors / 64, 1);
}

// Arrays whose indexes are known lie in registers; lanes with indexes of their
// own touch a line each.
// A derivative along y in blocks of 2 by 128: an H200 takes 24.3 us, since
// eight blocks use each 64 bytes of DRAM at the same time, and not 45.
TEST_F(RequestReuses, BlocksSideBySideShareWhatDramMoves) {
  const KernelTime &time =
      read("__global__ void k(const float *__restrict__ f, float *df,\n"
           "                  unsigned mx, unsigned my) {\n"
           "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  int at = blockIdx.y * mx * my + threadIdx.y * mx + i;\n"
           "  df[at] = f[at] * 2;\n"
           "}\n"
           "int main() { k<<<dim3(64, 128), dim3(2, 128)>>>(0, 0, 128, 128); "
           "}\n");
  EXPECT_EQ(time.bound(), Bound::L2);
  ASSERT_TRUE(time.microseconds());
  EXPECT_NEAR(*time.microseconds(), 24.3, 5);
}

// What an H100 takes for a dependent load: 300 cycles from L2, 600 from DRAM.
TEST_F(RequestReuses, DataInL2AreThereSoonerThanDataInDram) {
  auto wait = [&](const std::string &index) {
    const KernelTime &time =
        read("__global__ void k(float *out, const float *a) {\n"
             "  float s = 0;\n"
             "  for (int c = 0; c < 64; ++c)\n"
             "    for (int i = 0; i < 2048; ++i) s += a[" +
             index +
             "];\n"
             "  out[threadIdx.x] = s;\n"
             "}\n"
             "int main() { k<<<1, 64>>>(0, 0); }\n");
    return time.of(loadOfA()).latency;
  };
  EXPECT_GT(wait("(c * 2048 + i) * 64 + threadIdx.x"),
            1.8 * wait("i * 64 + threadIdx.x"));
}

// An H100 takes 570 cycles for an iteration where rows begin at any word, and
// waits for each eighth one alone where they begin with a sector.
TEST_F(RequestReuses, RowsThatBeginInsideSectorsMakeEachIterationWait) {
  auto wait = [&](const std::string &pitch) {
    const KernelTime &time =
        read("__global__ void k(float *out, const float *a) {\n"
             "  int row = threadIdx.x;\n"
             "  float s = 1;\n"
             "  for (int i = 0; i < 1024; ++i) s = a[row * " +
             pitch +
             " + i] / s;\n"
             "  out[row] = s;\n"
             "}\n"
             "int main() { k<<<4, 256>>>(0, 0); }\n");
    return time.of(loadOfA()).latency / 1024;
  };
  EXPECT_NEAR(wait("1032"), 90, 30);
  EXPECT_NEAR(wait("1025"), 500, 150);
}

// An allocation that L2 holds comes from DRAM once.
TEST_F(RequestReuses, AnAllocationLimitsWhatComesFromDram) {
  auto sectors = [&](const std::string &bytes) {
    const KernelTime &time =
        read("static __global__ void k(float *out, const float *a, int n) {\n"
             "  float s = 0;\n"
             "  for (int i = 0; i < 4096; ++i)\n"
             "    s += a[i * 32 + threadIdx.x % 32 + 32 * n * blockIdx.x];\n"
             "  out[threadIdx.x] = s;\n"
             "}\n"
             "int main(int n, char **) {\n"
             "  float *out, *a;\n"
             "  cudaMalloc(&out, 1024);\n"
             "  cudaMalloc(&a, " +
             bytes +
             ");\n"
             "  k<<<1024, 256>>>(out, a, n);\n"
             "}\n");
    return time.of(loadOfA()).dramSectors;
  };
  EXPECT_NEAR(sectors("1 << 20"), (1 << 20) / 32.0 / (1024 * 8), 1);
  EXPECT_GT(sectors("n"), 100);
}

// What a filter keeps lies side by side: DRAM moves the bytes alone, and L2
// joins the fields of a record. A counter for each list says nothing.
TEST_F(RequestReuses, ElementsThatACounterHandsOutAreDense) {
  auto stored = [&](const std::string &counter) {
    const KernelTime &time =
        read("__global__ void k(const int *in, int *count, float *a) {\n"
             "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
             "  float *record = a + atomicAdd(" +
             counter +
             ", 1) * 8;\n"
             "  for (int k = 0; k < 8; ++k) record[k] = i;\n"
             "}\n"
             "int main() { k<<<4096, 256>>>(0, 0, 0); }\n");
    Demand sum;
    const std::vector<Access> &all = kernel->kernel.accesses;
    for (unsigned i = 0; i < all.size(); ++i)
      if (all[i].operation == Operation::Store)
        sum += time.of(i);
    return sum;
  };
  const double bytes = 8 * 4 * 32;
  EXPECT_NEAR(stored("count").dramSectors, bytes / 32, 1);
  EXPECT_NEAR(stored("count").sectors, bytes / 32, 1);
  EXPECT_GT(stored("count + in[i]").dramSectors, 4 * bytes / 32);
}

// NCCL's low_latency.cu: which loop the address depends on was taken for a
// text.
TEST_F(RequestReuses, AnAddressThatALoopDecidesIsNotHandedOut) {
  std::string text = "__global__ void k(const int *in, float *a) {\n"
                     "  int i = threadIdx.x;\n";
  for (unsigned loop = 0; loop < 40; ++loop)
    text += "  while (in[i] > " + std::to_string(loop) + ") ++i;\n";
  const KernelTime &time = read(text + "  a[i] = 1;\n}\n"
                                       "int main() { k<<<4096, 256>>>(0, 0); "
                                       "}\n");
  const std::vector<Access> &all = kernel->kernel.accesses;
  for (unsigned i = 0; i < all.size(); ++i)
    if (all[i].operation == Operation::Store)
      EXPECT_GT(time.of(i).sectors, 0);
}

// What 1,024 blocks each load of the same 8 KB: an H200 moves 47,300 sectors
// between L2 and the SMs, 16,400 of them stores, and not 279,000.
TEST_F(RequestReuses, AnSmLoadsOnceWhatAllItsBlocksRead) {
  auto sectors = [&](const std::string &change) {
    const KernelTime &time =
        read("__global__ void k(float *a, float *out) {\n"
             "  float s = 0;\n"
             "  for (int i = threadIdx.x; i < 2048; i += 256) {\n"
             "    s += a[i];\n" +
             change +
             "  }\n"
             "  out[blockIdx.x * 256 + threadIdx.x] = s;\n"
             "}\n"
             "int main() { k<<<1024, 256>>>(0, 0); }\n");
    return time.of(loadOfA()).sectors * 1024 * 8;
  };
  EXPECT_NEAR(sectors(""), 132 * 256, 1000);
  EXPECT_GT(sectors("a[i] = s;"), 200'000) << "a store takes it out of L1";
  EXPECT_GT(sectors("s += out[(blockIdx.x * 8 + i / 256 * 8192) * 256 + "
                    "threadIdx.x * 32];"),
            200'000)
      << "what else is loaded goes through L1, too";
}

// Each word of 16 MB, 2,800 bytes from lane to lane: 59 us on an H200. L2 keeps
// the sectors until other blocks have filled them.
TEST_F(RequestReuses, L2KeepsWhatBlocksFillInTurn) {
  const KernelTime &time =
      read("__global__ void k(const int *a, int *b, int n, int w, int h) {\n"
           "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  if (i < n) b[((i % w) * h + (i / w) % h) % n] = a[i];\n"
           "}\n"
           "int main() { k<<<16384, 256>>>(0, 0, 1 << 22, 1000, 700); }\n");
  ASSERT_TRUE(time.microseconds());
  EXPECT_NEAR(*time.microseconds(), 59, 20);
}

// The planes of a block fill each other's sectors, though the next warp is a
// row on: an H200 takes 272.8 us; 516 if L2 first read what each store leaves.
TEST_F(RequestReuses, PlanesOfABlockFillSectorsTogether) {
  const KernelTime &time =
      read("__global__ void k(const float *in, float *out, int n) {\n"
           "  int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
           "  int z = blockIdx.z * blockDim.z + threadIdx.z;\n"
           "  out[(x * n + y) * n + z] = in[(z * n + y) * n + x];\n"
           "}\n"
           "int main() {\n"
           "  k<<<dim3(32, 32, 32), dim3(8, 8, 8)>>>(0, 0, 256);\n"
           "}\n");
  ASSERT_TRUE(time.microseconds());
  EXPECT_NEAR(*time.microseconds(), 272.8, 25);
}

// The same of rows that are two warps long: each sector of 'row' is loaded once
// for a block of four.
TEST_F(RequestReuses, RowsOfSeveralWarpsLoadTogether) {
  const KernelTime &time =
      read("__global__ void k(float *out, const float *row) {\n"
           "  int x = threadIdx.x, y = threadIdx.y;\n"
           "  out[(blockIdx.x * 4 + y) * 64 + x] = row[blockIdx.x * 64 + x];\n"
           "}\n"
           "int main() { k<<<4096, dim3(64, 4)>>>(0, 0); }\n");
  const bool isFirst = kernel->kernel.accesses[0].operation == Operation::Load;
  EXPECT_NEAR(time.of(isFirst ? 0 : 1).sectors, 1, .01);
  EXPECT_NEAR(time.of(isFirst ? 1 : 0).sectors, 4, .01);
}

// What the first row alone loads is shared by none.
TEST_F(RequestReuses, RowsThatDoNotLoadShareNothing) {
  const KernelTime &time =
      read("__global__ void k(float *out, const float *row) {\n"
           "  if (threadIdx.y == 0)\n"
           "    out[blockIdx.x * 64 + threadIdx.x] =\n"
           "        row[blockIdx.x * 64 + threadIdx.x];\n"
           "}\n"
           "int main() { k<<<4096, dim3(64, 8)>>>(0, 0); }\n");
  const bool isFirst = kernel->kernel.accesses[0].operation == Operation::Load;
  EXPECT_NEAR(time.of(isFirst ? 0 : 1).sectors, .5, .01); // of 8 rows, one
}
