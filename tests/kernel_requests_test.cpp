// What the requests of an access use of caches and DRAM.
#include "time_of.h"

using namespace warplint;

namespace {

struct KernelRequests : TimeOf {};

} // namespace

// 64-bit words are served by halves of a warp: a column of 32 took an H200 32
// cycles for each request, not 16.
TEST_F(KernelRequests, WideConflictsTakeEachPartOfAWarp) {
  auto wavefronts = [&](const std::string &type) {
    const KernelTime &time = read("__global__ void k(" + type +
                                  " *out) {\n"
                                  "  __shared__ " +
                                  type +
                                  " t[32][32];\n"
                                  "  t[threadIdx.y][threadIdx.x] = 1;\n"
                                  "  __syncthreads();\n"
                                  "  out[threadIdx.x] = "
                                  "t[threadIdx.x][threadIdx.y];\n"
                                  "}\n"
                                  "int main() { k<<<132, dim3(32, 8)>>>(0); "
                                  "}\n");
    const std::vector<Access> &all = kernel->kernel.accesses;
    for (unsigned i = 0; i < all.size(); ++i)
      if (all[i].operation == Operation::Load)
        return time.of(i).wavefronts;
    return 0.0;
  };
  EXPECT_EQ(wavefronts("float"), 32);
  EXPECT_EQ(wavefronts("double"), 32);
}

TEST_F(KernelRequests, LocalArraysCostWhatTheirIndexesScatter) {
  auto wavefronts = [&](const std::string &index) {
    const KernelTime &time =
        read("__global__ void k(int *out, const int *in, int n) {\n"
             "  int h[8];\n"
             "  for (int k = 0; k < 8; ++k) h[k] = in[k];\n"
             "  for (int k = 0; k < 8; ++k) out[k] = h[" +
             index +
             "];\n"
             "}\n");
    double sum = 0;
    for (unsigned i = 0; i < kernel->kernel.accesses.size(); ++i)
      if (kernel->kernel.accesses[i].array)
        sum += time.of(i).wavefronts;
    return sum;
  };
  EXPECT_EQ(wavefronts("k"), 0);
  EXPECT_NEAR(wavefronts("(n + k) & 7"), 16, 0.1);
  EXPECT_NEAR(wavefronts("(threadIdx.x + k) & 7"), 8 + 8 * 8, 0.1);
  EXPECT_NEAR(wavefronts("in[threadIdx.x * 8 + k] & 7"), 8 + 8 * 7.9, 1);
}

// Its address keeps it in memory, and L1 has it for all threads.
TEST_F(KernelRequests, AVariableThatAFunctionTakesByReferenceStaysInL1) {
  const KernelTime &time =
      read("struct Pair { float a, b; };\n"
           "__noinline__ __device__ float f(const Pair &p, float x) {\n"
           "  return p.a * x + p.b;\n"
           "}\n"
           "__global__ void k(float *out, const Pair *in) {\n"
           "  Pair p = in[threadIdx.x & 3];\n"
           "  float x = 0;\n"
           "  for (int k = 0; k < 100; ++k) x = f(p, x);\n"
           "  out[threadIdx.x] = x;\n"
           "}\n");
  EXPECT_LT(time.total().sectors, 100);
}

// Five words of each thread, read and written: 164 us on an H200. Half of that
// was taken to move.
TEST_F(KernelRequests, WhatIsChangedInPlaceMovesTwice) {
  const KernelTime &time =
      read("struct S { float v[5]; };\n"
           "__global__ void k(S *p) {\n"
           "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  S s = p[i];\n"
           "  for (int k = 0; k < 5; ++k) s.v[k] *= 2;\n"
           "  p[i] = s;\n"
           "}\n"
           "int main() { k<<<65536, 256>>>(0); }\n");
  EXPECT_NEAR(*time.microseconds(), 164, 20);
}

// A swap fails where another warp has changed the word meanwhile. An H200 took
// 12.6 and 43 cycles for each update of a word by all 8 and 32 warps of a
// block, and 3.0 where each of them had a word of its own (kernels/swap_loops).
TEST_F(KernelRequests, WarpsOfOneWordMakeEachOthersSwapsFail) {
  auto wavefronts = [&](const std::string &type, const std::string &word,
                        unsigned threads, unsigned updates = 64) {
    const KernelTime &time =
        read("__global__ void k(const " + type + " *a, " + type +
             " *out) {\n"
             "  __shared__ " +
             type +
             " sums[32];\n"
             "  if (threadIdx.x < 32) sums[threadIdx.x] = 0;\n"
             "  __syncthreads();\n"
             "  " +
             (updates > 1
                  ? "for (int i = 0; i < " + std::to_string(updates) + "; ++i) "
                  : "") +
             "atomicAdd(&sums[" + word +
             "], a[blockIdx.x * blockDim.x + threadIdx.x]);\n"
             "  __syncthreads();\n"
             "  if (threadIdx.x < 32) out[threadIdx.x] = sums[threadIdx.x];\n"
             "}\n"
             "int main() { k<<<4096, " +
             std::to_string(threads) + ">>>(0, 0); }\n");
    for (unsigned i = 0; i < kernel->kernel.accesses.size(); ++i)
      if (kernel->kernel.accesses[i].operation == Operation::Atomic)
        return time.of(i).wavefronts / 32 / updates;
    return 0.0;
  };
  EXPECT_NEAR(wavefronts("float", "0", 256), 12.6, 1);
  EXPECT_NEAR(wavefronts("float", "0", 1024), 43, 2);
  EXPECT_NEAR(wavefronts("float", "threadIdx.x / 32", 256), 3, 0.2);
  EXPECT_NEAR(wavefronts("float", "threadIdx.x / 32", 1024), 3, 0.2);
  EXPECT_NEAR(wavefronts("double", "0", 256), 19.3, 4);
  EXPECT_NEAR(wavefronts("double", "threadIdx.x / 32", 256), 4.5, 0.3);
  // Updates that each thread makes once pass each other: an H200 takes 770
  // cycles for those of 256 threads, and 3,386 for 1,024.
  EXPECT_NEAR(wavefronts("float", "0", 256, 1), 770.0 / 256, .2);
  EXPECT_NEAR(wavefronts("float", "0", 1024, 1), 3386.0 / 1024, .4);
}

// It is a loop in the machine code, which one thread after the other leaves.
TEST_F(KernelRequests, FloatAtomicsInSharedMemoryWaitForEachOther) {
  auto share = [&](const std::string &type) {
    const KernelTime &time =
        read("__global__ void k(" + type +
             " *out) {\n"
             "  __shared__ " +
             type +
             " sum;\n"
             "  if (threadIdx.x == 0) sum = 0;\n"
             "  __syncthreads();\n"
             "  atomicAdd(&sum, out[blockIdx.x * 256 + threadIdx.x]);\n"
             "  __syncthreads();\n"
             "  if (threadIdx.x == 0) out[blockIdx.x] = sum;\n"
             "}\n"
             "int main() { k<<<1024, 256>>>(0); }\n");
    const std::vector<Access> &all = kernel->kernel.accesses;
    const unsigned atomic =
        llvm::find_if(all,
                      [](const Access &one) {
                        return one.operation == Operation::Atomic;
                      }) -
        all.begin();
    return time.share(time.of(atomic));
  };
  // An H200 takes 218 us for 65,536 such blocks, and 58 for a word for each
  // lane.
  EXPECT_NEAR(share("float"), 0.73, 0.1);
  EXPECT_LT(share("int"), share("float"));
}

// An H200 takes 4.0 cycles for a float4 of each lane or of each fourth lane,
// and 2.2 if neighbours load the same, however many (kernels/wide_loads).
TEST_F(KernelRequests, ASharedLoadTakesItsDifferentData) {
  auto wavefronts = [&](const std::string &index) {
    const KernelTime &time = read("__global__ void k(float4 *out) {\n"
                                  "  __shared__ float4 tile[32];\n"
                                  "  tile[threadIdx.x] = out[threadIdx.x];\n"
                                  "  __syncthreads();\n"
                                  "  out[threadIdx.x] = tile[" +
                                  index +
                                  "];\n"
                                  "}\n"
                                  "int main() { k<<<1024, 32>>>(0); }\n");
    double found = 0;
    for (unsigned i = 0; i < kernel->kernel.accesses.size(); ++i) {
      const Access &access = kernel->kernel.accesses[i];
      if (access.space == Space::Shared && access.operation == Operation::Load)
        found += time.of(i).wavefronts;
    }
    return found;
  };
  EXPECT_DOUBLE_EQ(wavefronts("31 - threadIdx.x"), 4);
  EXPECT_DOUBLE_EQ(wavefronts("threadIdx.x / 2"), 2);
  EXPECT_DOUBLE_EQ(wavefronts("threadIdx.x / 8"), 2);
  EXPECT_DOUBLE_EQ(wavefronts("threadIdx.x % 4"), 4);
}

// Another block's shared memory is asked sector by sector, as L2 is.
TEST_F(KernelRequests, AClusterMovesSectors) {
  if (!hasToolkit())
    GTEST_SKIP() << "no CUDA toolkit: its own headers are not read";
  auto wavefronts = [&](const std::string &use) {
    model = readText("#include <cooperative_groups.h>\n"
                     "__global__ void k(const unsigned *in, unsigned *out) {\n"
                     "  __shared__ unsigned bins[256];\n"
                     "  auto all = cooperative_groups::this_cluster();\n"
                     "  unsigned *theirs = all.map_shared_rank(bins, 1);\n"
                     "  all.sync();\n" +
                         use +
                         "}\n"
                         "int main() { k<<<64, 256>>>(0, 0); }\n",
                     true, {"-std=c++17", "-arch=sm_90"});
    kernel.emplace(costed(model.kernels.at(0)));
    const KernelTime &time = timeOf(*kernel, kernel->shapes[0]);
    double found = 0;
    for (unsigned i = 0; i < kernel->kernel.accesses.size(); ++i)
      if (kernel->kernel.accesses[i].space == Space::Shared)
        found += time.of(i).wavefronts;
    return found;
  };
  EXPECT_DOUBLE_EQ(wavefronts("out[threadIdx.x] = theirs[threadIdx.x];\n"), 8);
  EXPECT_DOUBLE_EQ(wavefronts("theirs[threadIdx.x] = 1;\n"), 4);
  EXPECT_DOUBLE_EQ(
      wavefronts("atomicAdd(theirs + in[threadIdx.x] % 256, 1u);\n"), 64);
}

// The row of a tile that an unrolled loop walks along is loaded by LDS.128, a
// fourth of the instructions; a row of 33 floats begins at no multiple of 16
// bytes.
TEST_F(KernelRequests, NeighboursInSharedMemoryAreLoadedAtOnce) {
  auto both = [&](const std::string &pitch) {
    const KernelTime &time =
        read("__global__ void k(const float *in, float *out) {\n"
             "  __shared__ float row[16][" +
             pitch +
             "];\n"
             "  row[threadIdx.y][threadIdx.x] = in[threadIdx.x];\n"
             "  __syncthreads();\n"
             "  float sum = 0;\n"
             "  for (int i = 0; i < 16; ++i) sum += row[threadIdx.y][i];\n"
             "  out[threadIdx.y * 16 + threadIdx.x] = sum;\n"
             "}\n"
             "int main() { k<<<1024, dim3(16, 16)>>>(0, 0); }\n");
    double wavefronts = 0;
    for (unsigned i = 0; i < kernel->kernel.accesses.size(); ++i) {
      const Access &access = kernel->kernel.accesses[i];
      if (access.space == Space::Shared && access.operation == Operation::Load)
        wavefronts += time.of(i).wavefronts;
    }
    return std::pair(wavefronts, time.total().instructions);
  };
  const auto [joined, fewer] = both("16");
  const auto [apart, more] = both("33");
  EXPECT_DOUBLE_EQ(joined, 4 * 2);
  EXPECT_DOUBLE_EQ(apart, 16);
  EXPECT_NEAR(more - fewer, 16 - 4, 1); // and the pitch
}

// An H100 takes 8 to 13 cycles for 32 lines that L1 has, and 32 where all lanes
// read one bank.
TEST_F(KernelRequests, ALoadFromL1TakesItsBanksAndLines) {
  auto passes = [&](const std::string &stride,
                    const std::string &type = "float") {
    const KernelTime &time =
        read("__global__ void k(float *out, const " + type +
             " *a) {\n"
             "  int row = threadIdx.x;\n"
             "  float s = 0;\n"
             "  for (int i = 0; i < 64; ++i) s += a[row * " +
             stride +
             " + i];\n"
             "  out[row] = s;\n"
             "}\n"
             "int main() { k<<<132, 256>>>(0, 0); }\n");
    return time.of(loadOfA()).wavefronts / 64;
  };
  EXPECT_NEAR(passes("1024"), 32, 1);
  EXPECT_NEAR(passes("1025"), 13, 2); // an eighth of them come from L2
  EXPECT_NEAR(passes("16"), 16, 1);
  // Each half of the warp has all of its doubles in one pair of banks.
  EXPECT_NEAR(passes("16", "double"), 32, 1);
  // A quarter of them are from L2. Rows of 17 would share what they load.
  EXPECT_NEAR(passes("65", "double"), 16, 2);
}

// An H100 stores 32 sectors of 32 lines in 130 cycles of each SM, and loads
// them in 35.
TEST_F(KernelRequests, ScatteredStoresTakeL2LongerThanLoads) {
  const KernelTime &time =
      read("__global__ void k(float *out, const float *in) {\n"
           "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  out[i * 32] = in[i * 32];\n"
           "}\n"
           "int main() { k<<<4096, 256>>>(0, 0); }\n");
  const Demand load = time.of(0), store = time.of(1);
  EXPECT_DOUBLE_EQ(load.sectors, store.sectors);
  EXPECT_DOUBLE_EQ(load.storing, 0);
  EXPECT_GT(store.sectors + store.storing, 3 * load.sectors);
  EXPECT_GT(store.wavefronts, 1.9 * load.wavefronts);
}

TEST_F(KernelRequests, APitchOfTheRunMayBeFreeOfConflicts) {
  const KernelTime &time =
      read("__global__ void k(float *out, const float *a, int n) {\n"
           "  int row = threadIdx.x;\n"
           "  float s = 0;\n"
           "  for (int i = 0; i < 64; ++i) s += a[row * n + i];\n"
           "  out[row] = s;\n"
           "}\n");
  EXPECT_NEAR(time.of(loadOfA()).wavefronts / 64, 18, 2);
}

// 48 warps of an SM read 128 bytes each from L1 in 1.7 cycles (H100), and write
// to an unknown index in 8.
TEST_F(KernelRequests, AShortLocalArrayIsReadFromL1) {
  auto use = [&](const std::string &length, Operation operation) {
    const KernelTime &time =
        read("__global__ void k(float *out, const int *at, int n) {\n"
             "  float a[" +
             length +
             "];\n"
             "  float sum = 0;\n"
             "  for (int i = 0; i < n; ++i) a[at[i * 3]] = i;\n"
             "  for (int i = 0; i < n; ++i) sum += a[at[i * 5]];\n"
             "  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;\n"
             "}\n");
    const std::vector<Access> &all = kernel->kernel.accesses;
    for (unsigned i = 0; i < all.size(); ++i)
      if (all[i].array && all[i].operation == operation)
        return time.of(i);
    return Demand();
  };
  EXPECT_EQ(use("16", Operation::Load).sectors, 0);
  EXPECT_EQ(use("16", Operation::Load).dramSectors, 0);
  EXPECT_GT(use("16", Operation::Load).wavefronts, 0);
  EXPECT_GT(use("512", Operation::Load).dramSectors, 0);
  const Demand store = use("16", Operation::Store);
  EXPECT_NEAR((store.sectors + store.storing) / store.sectors, 1.8, 0.01);
}

// Four stores of a byte side by side take L2 what one of four bytes takes
// (H100: 47.6 and 45.5 microseconds for copies of 50 MB).
TEST_F(KernelRequests, StoresThatFillASectorTogetherAreOneForL2) {
  auto stored = [&](const std::string &body) {
    const KernelTime &time =
        read("__global__ void k(unsigned char *__restrict__ out,\n"
             "                  const unsigned *__restrict__ in) {\n"
             "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
             "  unsigned v = in[i];\n" +
             body + "}\n");
    double all = 0;
    const std::vector<Access> &accesses = kernel->kernel.accesses;
    for (unsigned i = 0; i < accesses.size(); ++i)
      if (accesses[i].operation == Operation::Store)
        all += time.of(i).sectors + time.of(i).storing;
    return all;
  };
  EXPECT_NEAR(
      stored("  out[i * 4] = v;\n  out[i * 4 + 1] = v >> 8;\n"
             "  out[i * 4 + 2] = v >> 16;\n  out[i * 4 + 3] = v >> 24;\n"),
      stored("  ((unsigned *)out)[i] = v;\n"), 0.5);
}

// Two words of a particle of 32 bytes were taken for 64 sectors: an H200 moved
// 37 to 44.
TEST_F(KernelRequests, TheFirstStoresOfALongRecordJoin) {
  auto stored = [&](unsigned words, unsigned stores) {
    std::string text;
    for (unsigned i = 0; i < stores; ++i)
      text +=
          "  r[" + std::to_string(i) + "] = x + " + std::to_string(i) + ";\n";
    const KernelTime &time =
        read("__global__ void k(float *__restrict__ out,\n"
             "                  const float *__restrict__ in) {\n"
             "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
             "  float *r = out + i * " +
             std::to_string(words) + ", x = in[i];\n" + text +
             "}\n"
             "int main() { k<<<8192, 256>>>(0, 0); }\n");
    return time.total().sectors - 4;
  };
  EXPECT_NEAR(stored(6, 3), 28, 5);
  EXPECT_NEAR(stored(8, 2), 40, 8);
  EXPECT_NEAR(stored(8, 3), 58, 8);
  EXPECT_NEAR(stored(8, 4), 96, 12);
  EXPECT_NEAR(stored(8, 8), 208, 25);
  EXPECT_NEAR(stored(12, 6), 175, 20);
  EXPECT_NEAR(stored(16, 2), 55, 8);
  EXPECT_NEAR(stored(16, 4), 121, 15);
  EXPECT_NEAR(stored(32, 3), 96, 2);
}

// A copy of 8 aligned integers is two stores of 16 bytes: its cure gained 1.09x
// on an H200, and 24 to 46 % of the kernel's time were told.
TEST_F(KernelRequests, ACopyOfAnAlignedStructureHasFewWideStores) {
  auto sectors = [&](const std::string &type) {
    return read("struct " + type +
                " Eight { float v[8]; };\n"
                "__global__ void k(Eight *__restrict__ out,\n"
                "                  const Eight *__restrict__ in) {\n"
                "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                "  out[i] = in[i];\n"
                "}\n"
                "int main() { k<<<8192, 256>>>(0, 0); }\n")
        .total()
        .sectors;
  };
  EXPECT_NEAR(sectors("alignas(32)"), 32 + 37, 8);
  EXPECT_NEAR(sectors("alignas(16)"), 32 + 37, 8);
  EXPECT_NEAR(sectors("alignas(4)"), 32 + 208, 30);
}

// 16 lanes that each fill a record of 8 words, or of 64: an H200 takes 14 to 22
// and 57 cycles for a request.
TEST_F(KernelRequests, StoresToManyLinesDoNotJoin) {
  auto storing = [&](unsigned words) {
    std::string stores;
    for (unsigned i = 0; i < 8; ++i)
      stores += "  r[" + std::to_string(i) + "] = x;\n";
    const KernelTime &time =
        read("__global__ void k(float *out, float x) {\n"
             "  float *r = out + (blockIdx.x * 16 + threadIdx.x) * " +
             std::to_string(words) + ";\n" + stores +
             "}\n"
             "int main() { k<<<4096, 16>>>(0, 0); }\n");
    return time.total().sectors + time.total().storing;
  };
  EXPECT_GT(storing(64), 3 * storing(8));
}

// Sizes of the run make a conflict or not, as a pitch does for L1.
TEST_F(KernelRequests, APitchOfSharedMemoryMayBeFreeOfConflicts) {
  const KernelTime &time = read("__global__ void k(float *out, int pitch) {\n"
                                "  __shared__ float a[4096];\n"
                                "  a[threadIdx.x] = pitch;\n"
                                "  __syncthreads();\n"
                                "  out[threadIdx.x] = a[threadIdx.x * pitch];\n"
                                "}\n");
  EXPECT_NEAR(time.of(loadOfA()).wavefronts, 16.5, 0.1);
  EXPECT_NEAR(time.withWavefronts(loadOfA(), 1).wavefronts, 1, 0.01);
}

// A reduction whose launches double the stride: the first one, with 1, has half
// of the work. Taken for certain, the stride hid a tree in shared memory whose
// cure gained 1.38x.
TEST_F(KernelRequests, AStrideThatMultipliesTheIndexMayBeOne) {
  auto unsurePart = [&](const std::string &index) {
    const KernelTime &time =
        read("__global__ void k(float *out, const float *a, int n, int c) {\n"
             "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
             "  out[i] = a[" +
             index +
             "];\n"
             "}\n"
             "void run(float *a, int n) { k<<<4096, 256>>>(a, a, n, n); }\n");
    const Demand &load = time.of(loadOfA());
    return load.unsureSectors / load.dramSectors;
  };
  EXPECT_NEAR(unsurePart("i * n"), 0.875, 0.01) << "4 of 32 sectors are left";
  EXPECT_EQ(unsurePart("i * n + c"), 0) << "a row has that length";
  EXPECT_EQ(unsurePart("i * 64"), 0);
}

// L1 keeps what it has room for, and L2 the arrays of all threads: 45 ints of
// each thread take 26 cycles where all are longer than L1, and 15 where they
// are as long (H200).
TEST_F(KernelRequests, ALocalArrayThatIsLittleTooLongIsMissedInPart) {
  auto load = [&](const std::string &length) {
    const KernelTime &time =
        read("__global__ void k(float *out, const int *at, int n) {\n"
             "  float a[" +
             length +
             "];\n"
             "  float sum = 0;\n"
             "  for (int i = 0; i < n; ++i) a[at[i * 3]] = i;\n"
             "  for (int i = 0; i < n; ++i) sum += a[at[i * 5]];\n"
             "  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;\n"
             "}\n");
    return time.of(loadOfA());
  };
  const double all = load("400").sectors;
  EXPECT_GT(load("30").sectors, 0.2 * all);
  EXPECT_LT(load("30").sectors, 0.5 * all);
  EXPECT_EQ(load("30").dramSectors, 0);
  EXPECT_GT(load("400").dramSectors, 0.5 * all);
}

// The product of a transformation's table with a tile: LDC.64 for each two of
// its elements, an LDC for each of those that are two apart.
TEST_F(KernelRequests, TwoNeighboursInConstantMemoryTakeTheTimeOfOne) {
  auto wavefronts = [&](const std::string &index) {
    return read("__constant__ float table[1024];\n"
                "__global__ void k(float *out) {\n"
                "  float s = 0;\n"
                "#pragma unroll\n"
                "  for (int i = 0; i < 8; ++i) s += table[" +
                index + "];\n  out[threadIdx.x] = s;\n}\n")
        .total()
        .wavefronts;
  };
  EXPECT_NEAR(wavefronts("threadIdx.x * 8 + i"),
              wavefronts("threadIdx.x * 16 + 2 * i") / 2, 2);
  EXPECT_NEAR(wavefronts("threadIdx.x * 9 + i"),
              wavefronts("threadIdx.x * 16 + 2 * i"), 2);
}

// What a load has brought is there when a store leaves most of its sector: an
// H200 takes 16.4 us for a member of 1,048,576 elements that another decides.
TEST_F(KernelRequests, AStoreNeedsNoSectorsThatALoadHasBrought) {
  const KernelTime &time =
      read("struct __align__(16) Cell { float rho, u, v; unsigned flag; "
           "double e; };\n"
           "__global__ void k(Cell *c, int n) {\n"
           "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  if (i < n) c[i].flag = unsigned(c[i].e * 3);\n"
           "}\n"
           "int main() { k<<<4096, 256>>>(0, 1048576); }\n");
  ASSERT_TRUE(time.microseconds());
  EXPECT_LT(*time.microseconds(), 23);
  EXPECT_GT(*time.microseconds(), 14);
}

// Rectangles that are compared in pairs: each lane stores as often as not, far
// from the next one's byte. As if all did, a store that takes half of the time
// was said to take three quarters (H200).
TEST_F(KernelRequests, OfLanesThatDataChooseHalfTakePart) {
  auto sectors = [&](const std::string &condition, const std::string &index) {
    const KernelTime &time =
        read("__global__ void k(float *out, const float *x, const float *y) {\n"
             "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  " +
             condition + "out[" + index +
             "] = 1;\n"
             "}\n"
             "int main() { k<<<4096, 256>>>(0, 0, 0); }\n");
    const std::vector<Access> &all = kernel->kernel.accesses;
    for (unsigned i = 0; i < all.size(); ++i)
      if (all[i].operation == Operation::Store)
        return time.of(i).sectors;
    return 0.0;
  };
  const std::string less = "if (x[i] < y[i]) ";
  EXPECT_DOUBLE_EQ(sectors("", "i * 32"), 32);
  EXPECT_DOUBLE_EQ(sectors(less, "i * 32"), 16);
  EXPECT_NEAR(sectors(less, "i"), sectors("", "i"), 0.02)
      << "eight lanes share a sector";
}

// Rows of 64 bytes of which data say the length: fewer lanes are in the later
// iterations, and most have loaded the first piece of their row.
TEST_F(KernelRequests, RowsThatDataEndAreBegun) {
  auto load = [&](const std::string &end) {
    const KernelTime &time = read(
        "__global__ void k(float *out, const float *a, const int *length) {"
        "\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  float sum = 0;\n"
        "  for (int j = 0; j < 16" +
        end +
        "; ++j)\n"
        "    sum += a[i * 16 + j];\n"
        "  out[i] = sum;\n"
        "}\n"
        "int main() { k<<<4096, 256>>>(0, 0, 0); }\n");
    return time.of(loadOfA());
  };
  const Demand whole = load(""), ended = load(" && j < length[i]");
  EXPECT_NEAR(ended.dramSectors, whole.dramSectors, 0.01 * whole.dramSectors);
  EXPECT_DOUBLE_EQ(ended.wavefronts, whole.wavefronts / 2);
}
