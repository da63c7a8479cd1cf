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
  /// The first load of the source whose object is 'a'.
  unsigned loadOfA() {
    const std::vector<Access> &all = kernel->kernel.accesses;
    return llvm::find_if(all,
                         [](const Access &one) {
                           return one.object == "a" &&
                                  one.operation == Operation::Load;
                         }) -
           all.begin();
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

TEST_F(TimeOf, TheStartOfManyBlocksTakesTime) {
  const KernelTime &time = read("__global__ void k(float *out, int n) {\n"
                                "  if (n < 0) out[threadIdx.x] = 1;\n"
                                "}\n"
                                "int main() { k<<<1048576, 64>>>(0, 1); }\n");
  ASSERT_TRUE(time.microseconds());
  EXPECT_NEAR(*time.microseconds(), 646, 65); // on an H200
  EXPECT_NEAR(time.shareOfStarts(4), 0.75, 0.05);
}

// An H100 takes 0.83 us for an empty kernel and 1.18 for a copy by 132 blocks:
// no remedy saves the difference to nothing.
TEST_F(TimeOf, ALaunchTakesTimeWhateverItDoes) {
  const std::string kernel =
      "__global__ void k(float *out, const float *in, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) out[i] = in[i];\n"
      "}\n";
  const KernelTime &time =
      read(kernel + "int main() { k<<<132, 256>>>(0, 0, 132 * 256); }\n");
  ASSERT_TRUE(time.microseconds());
  EXPECT_NEAR(*time.microseconds(), 1.18, 0.4);
  EXPECT_LT(time.share(time.total()), 0.5);
}

// What a warp pays for its block's start does not depend on the grid: blocks of
// 36 threads took 2.7 times as long as others, in a launch whose size only the
// run knows.
TEST_F(TimeOf, SmallBlocksOfAnUnknownGridPayTheirStart) {
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
TEST_F(TimeOf, ArithmeticBehindDramAndStartsCostsLittle) {
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
TEST_F(TimeOf, SharedMemoryBehindInstructionsCostsNothing) {
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

// 64-bit words are served by halves of a warp: a column of 32 took an H200 32
// cycles for each request, not 16.
TEST_F(TimeOf, WideConflictsTakeEachPartOfAWarp) {
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

// An H200 exchanges one word 0.74 ns after the last time, and adds floats to it
// 1.76 ns after.
TEST_F(TimeOf, IntegersAreUpdatedFasterThanFloats) {
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

// Two divisions by one number share its reciprocal, and the remainder follows
// from the quotient.
TEST_F(TimeOf, DivisionsOfTheSameNumbersAreCountedOnce) {
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

TEST_F(TimeOf, TheStartOfFewBlocksTakesNone) {
  const std::string kernel = "__global__ void k(float *out, int n) {\n"
                             "  for (int i = 0; i < n; ++i)\n"
                             "    out[i * 64 + threadIdx.x] = 1;\n"
                             "}\n";
  EXPECT_LT(read(kernel + "int main() { k<<<64, 64>>>(0, 1000); }\n")
                .shareOfStarts(4),
            0.01);
  EXPECT_LT(read(kernel).shareOfStarts(4), 0.05) << "each block works long";
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

// A block adds its histogram to that of the grid: each bin gets one update of
// each block, whatever number of bins a thread adds.
TEST_F(TimeOf, IterationsThatUpdateOtherAddressesDoNotWaitForEachOther) {
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
  const KernelTime &time =
      read("__global__ void k(int *x, int n) {\n"
           "  for (int i = 0; i < n; ++i) x[i * 64 + threadIdx.x] = i;\n"
           "}\n");
  EXPECT_EQ(time.share({}), 0);
  EXPECT_GT(time.share(time.total()), 0.9);
}

// Of a thread that stores one word, what is left is the start of its block.
TEST_F(TimeOf, NoRemedySavesTheStartOfBlocks) {
  const KernelTime &time = read("__global__ void k(int *x) {\n"
                                "  x[threadIdx.x] = 1;\n"
                                "}\n");
  EXPECT_LT(time.share(time.total()), 0.5);
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

// The next warp loads the sector that a misaligned request shares with it.
TEST_F(TimeOf, MisalignedCopiesTakeHardlyLonger) {
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

// Blocks of a row of the grid load the same elements of 'a', which L2 keeps.
TEST_F(TimeOf, BlocksThatLoadTheSameShareItInL2) {
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
TEST_F(TimeOf, BlocksSideBySideShareWhatDramMoves) {
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

TEST_F(TimeOf, LocalArraysCostWhatTheirIndexesScatter) {
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
TEST_F(TimeOf, AVariableThatAFunctionTakesByReferenceStaysInL1) {
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

// A place for each match: one of a thousand elements may be one. Taken for
// certain, the updates hid what a kernel does with each of them.
TEST_F(TimeOf, AnUpdateThatMayBeRareHidesNothing) {
  auto bound = [&](const std::string &condition) {
    return read("__global__ void k(unsigned *count, float *out,\n"
                "                  const float *a) {\n"
                "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                "  float v = a[i * 8];\n  " +
                condition +
                " out[atomicInc(count, 1 << 30)] = v;\n"
                "}\n"
                "int main() { k<<<4096, 256>>>(0, 0, 0); }\n")
        .bound();
  };
  EXPECT_EQ(bound("if (v < 0.1f)"), Bound::Dram);
  EXPECT_EQ(bound(""), Bound::Atomics);
}

// It is a loop in the machine code, which one thread after the other leaves.
TEST_F(TimeOf, FloatAtomicsInSharedMemoryWaitForEachOther) {
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
  EXPECT_GT(share("float"), 0.8);
  EXPECT_LT(share("int"), 0.8);
}

// An H200 takes 4 cycles for a float4 of each lane, and 1 if four lanes or more
// load the same.
TEST_F(TimeOf, ASharedLoadTakesItsDifferentData) {
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
  EXPECT_DOUBLE_EQ(wavefronts("threadIdx.x / 8"), 1);
}

// An H200 takes 0.75 ns for an exchange of each thread, 2.3 for exchanges of
// two neighbours, and no more for two addresses far apart than for one.
TEST_F(TimeOf, UpdatesOfOneObjectWaitForEachOther) {
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

// An H100 takes 8 to 13 cycles for 32 lines that L1 has, and 32 where all lanes
// read one bank.
TEST_F(TimeOf, ALoadFromL1TakesItsBanksAndLines) {
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
  EXPECT_NEAR(passes("17", "double"), 16, 2); // a quarter of them are from L2
}

// An H100 stores 32 sectors of 32 lines in 130 cycles of each SM, and loads
// them in 35.
TEST_F(TimeOf, ScatteredStoresTakeL2LongerThanLoads) {
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

// An H100 takes 96 microseconds for the first, 49 for the second; that is 35 at
// the rate of an H200's DRAM.
TEST_F(TimeOf, NeighbouringStoresJoinIfNoLoadKeepsThemApart) {
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

TEST_F(TimeOf, FewBlocksHaveMoreOfMemoryEach) {
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

// What an H100 takes for a dependent load: 300 cycles from L2, 600 from DRAM.
TEST_F(TimeOf, DataInL2AreThereSoonerThanDataInDram) {
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

// A warp for each row: 33x was measured on an H200 with 16 blocks.
TEST_F(TimeOf, SharingTheRowsGivesWorkToAllSms) {
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

// An H100 takes 570 cycles for an iteration where rows begin at any word, and
// waits for each eighth one alone where they begin with a sector.
TEST_F(TimeOf, RowsThatBeginInsideSectorsMakeEachIterationWait) {
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

TEST_F(TimeOf, APitchOfTheRunMayBeFreeOfConflicts) {
  const KernelTime &time =
      read("__global__ void k(float *out, const float *a, int n) {\n"
           "  int row = threadIdx.x;\n"
           "  float s = 0;\n"
           "  for (int i = 0; i < 64; ++i) s += a[row * n + i];\n"
           "  out[row] = s;\n"
           "}\n");
  EXPECT_NEAR(time.of(loadOfA()).wavefronts / 64, 18, 2);
}

// Of warps that an SM holds at once, none waits for another one.
TEST_F(TimeOf, FewerWarpsSaveNoWaitWhereAllFit) {
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
TEST_F(TimeOf, JoinedBlocksKeepTheWavefrontsOfRowsApart) {
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

// An allocation that L2 holds comes from DRAM once.
TEST_F(TimeOf, AnAllocationLimitsWhatComesFromDram) {
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

// 48 warps of an SM read 128 bytes each from L1 in 1.7 cycles (H100), and write
// to an unknown index in 8.
TEST_F(TimeOf, AShortLocalArrayIsReadFromL1) {
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
TEST_F(TimeOf, StoresThatFillASectorTogetherAreOneForL2) {
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
