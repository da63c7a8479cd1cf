// How often warps execute code, of kernels as users write them.
#include "cost/frequency.h"
#include "read_text.h"
#include <cmath>
#include <gmock/gmock.h>

using namespace warplint;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

namespace {

/// The counts of the stores of the first kernel.
struct FrequencyOf : testing::Test {
  SourceModel model;

  std::vector<Frequency> stores(const std::string &text) {
    model = readText(text);
    std::vector<Frequency> result;
    if (model.kernels.empty())
      return result;
    const Kernel &kernel = model.kernels[0];
    Frequencies frequencies(kernel, kernel.shapes[0]);
    for (const Access &access : kernel.accesses)
      if (access.operation == Operation::Store)
        result.push_back(frequencies.of(access.loops, access.guard));
    assumed = frequencies.assumedBounds();
    return result;
  }
  std::vector<std::string> assumed;
};

const std::string overGrid =
    "__global__ void k(int *out, int n) {\n"
    "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;\n"
    "       i += blockDim.x * gridDim.x)\n"
    "    out[i] = i;\n"
    "}\n";
const std::string launched = "int main() { k<<<64, 256>>>(0, 100); }\n";

} // namespace

TEST_F(FrequencyOf, LoopsWithConstantBoundsCountTheirIterations) {
  const auto found = stores("__global__ void k(int *out) {\n"
                            "#pragma unroll 1\n"
                            "  for (int i = 0; i < 40; ++i)\n"
                            "    for (int j = 0; j <= 20; j += 2)\n"
                            "      out[threadIdx.x + i * j] = i;\n"
                            "}\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_DOUBLE_EQ(found[0].perWarp, 40 * 11);
  EXPECT_THAT(assumed, IsEmpty());
}

// A reader could not make the value that a compare-and-swap gives smaller.
TEST_F(FrequencyOf, TheRetriesOfACompareAndSwapAreNoSize) {
  stores("__global__ void k(unsigned *sum, const unsigned *in) {\n"
         "  unsigned old = *sum, seen;\n"
         "  do {\n"
         "    seen = old;\n"
         "    old = atomicCAS(sum, seen, seen + in[threadIdx.x]);\n"
         "  } while (seen != old);\n"
         "  sum[1 + threadIdx.x] = old;\n"
         "}\n");
  EXPECT_THAT(assumed, IsEmpty());
  // The maximum of doubles, by a comparison of what the word means.
  stores("__global__ void k(unsigned *most, const float *in) {\n"
         "  unsigned seen = *most;\n"
         "  while (in[threadIdx.x] > __uint_as_float(seen)) {\n"
         "    unsigned old = seen;\n"
         "    seen = atomicCAS(most, old, __float_as_uint(in[threadIdx.x]));\n"
         "    if (seen == old) break;\n"
         "  }\n"
         "  most[1 + threadIdx.x] = seen;\n"
         "}\n");
  EXPECT_THAT(assumed, IsEmpty());
}

// Each counted as 512 iterations, the most of its kernel: of the two loops over
// a row in PyTorch's layer norms, the one that never runs was the dearest.
TEST_F(FrequencyOf, WhatLargerStepsLeaveIsShort) {
  const std::string four = "  for (; i + 3 < n; i += 4 * blockDim.x)\n"
                           "    s += out[i] * out[i + 3];\n";
  for (const std::string &loops :
       {four + "for (; i < n; ++i)",
        std::string("for (; i <= n - 4; i += 4) s += out[i];\n"
                    "for (; i < n; ++i)"),
        std::string("for (i = n / 4 * 4; i < n; ++i)"),
        std::string("for (i = n & ~31; i < n; i += 1)"),
        std::string("for (i = 0; i < n % 4; ++i)"),
        std::string("for (i = n - n % 8; i < n; ++i)"),
        std::string(
            "for (i = n / 128 * 128 + threadIdx.x; i < n; i += 128)")}) {
    const auto found =
        stores("__global__ void k(float *out, int n) {\n"
               "  float s = 0;\n"
               "  int i = 4 * threadIdx.x;\n" +
               loops +
               "\n"
               "    { s += out[i]; out[i + n] = s; }\n"
               "}\n" +
               "void run(float *p, int n) { k<<<64, 256>>>(p, n); }\n");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_LE(found[0].longest, 32) << loops;
    EXPECT_THAT(assumed, testing::Not(testing::Contains("n % 4")));
  }
  // These are as long as they seem.
  for (const char *loop :
       {"for (i = 0; i < n / 64; ++i)", "for (i = n / 4; i < n; ++i)",
        "for (i = 0; i < (n + 255) / 256; ++i)", "for (; i < n; ++i)",
        "for (i = n; i > 0; --i)", "for (i = 0; i < n % m; ++i)"}) {
    const auto found = stores(
        std::string("__global__ void k(float *out, int n, int m) {\n"
                    "  int i = threadIdx.x;\n") +
        loop +
        "\n    out[i + n] = 1;\n"
        "}\n"
        "void run(float *p, int n, int m) { k<<<64, 256>>>(p, n, m); }\n");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_GE(found[0].longest, 100) << loop;
  }
}

TEST_F(FrequencyOf, TriangularLoopsCountTheirMiddle) {
  auto triangle = [&](const std::string &loop) {
    const auto found = stores("__global__ void k(int *out, int n) {\n"
                              "  for (int i = 0; i < n; ++i)\n" +
                              loop +
                              "      out[threadIdx.x + i * j] = i;\n"
                              "}\n" +
                              launched);
    return found.size() == 1 ? found[0].perWarp : 0;
  };
  EXPECT_NEAR(triangle("    for (int j = 0; j < i; ++j)\n"), 100 * 99 / 2, 700);
  EXPECT_DOUBLE_EQ(triangle("    for (int j = i; j < n; ++j)\n"),
                   100 * 101 / 2);
}

// As often as the first lane of a low block goes round, 10, 0 and 512 times, it
// was 10 to 180 times too cheap, and what it held was hidden.
TEST_F(FrequencyOf, AWarpGoesRoundAsOftenAsItsSlowestLane) {
  unsigned blocks = 64;
  double longest = 0;
  auto count = [&](const std::string &loop) {
    const auto found =
        stores("__global__ void k(int *out, int n) {\n"
               "  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n"
               "  if (i >= n) return;\n"
               "  int m = t & 1 ? 1000 : 10;\n" +
               loop +
               "    out[i + k * 512] = i;\n"
               "}\n"
               "int main() { k<<<" +
               std::to_string(blocks) + ", 256>>>(0, " +
               std::to_string(blocks * 256) + "); }\n");
    longest = found.size() == 1 ? found[0].longest : 0;
    return found.size() == 1 ? found[0].perWarp : 0;
  };
  EXPECT_DOUBLE_EQ(count("  for (int k = 0; k < m; ++k)\n"), 1000);
  EXPECT_DOUBLE_EQ(count("  for (int k = 0; k < (t & 31) * 32; ++k)\n"),
                   31 * 32);
  EXPECT_NEAR(count("  for (int k = 0; k < t; ++k)\n"), 143, 1);
  EXPECT_DOUBLE_EQ(longest, 255);
  // Of a block for each SM, the SM of the longest one takes the time.
  for (const char *loop : {"  for (int k = 0; k < i; ++k)\n",
                           "  for (int k = i; k < n; ++k)\n"}) {
    blocks = 64;
    EXPECT_NEAR(count(loop), 16384, 200);
    EXPECT_NEAR(longest, 16384, 200);
    blocks = 64 * 132;
    EXPECT_NEAR(count(loop), blocks * 128, blocks * 4);
    EXPECT_NEAR(longest, blocks * 128 * 1.1, blocks * 4);
  }
  // Lanes that share elements differ by one iteration at most.
  EXPECT_DOUBLE_EQ(count("  for (int k = t; k < 1000; k += 256)\n"), 4);
}

TEST_F(FrequencyOf, ArgumentsOfTheLaunchBoundTheLoop) {
  const auto found = stores("__global__ void k(int *out, int n) {\n"
                            "  for (int i = 0; i < n; ++i)\n"
                            "    out[threadIdx.x + i * 256] = i;\n"
                            "}\n" +
                            launched);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_DOUBLE_EQ(found[0].perWarp, 100);
}

// A scan or a tree over 'n' elements takes a step for each power of two.
TEST_F(FrequencyOf, CountersThatDoubleOrHalveTakeFewSteps) {
  const auto found =
      stores("__global__ void k(int *out, int n) {\n"
             "  for (int s = 1; s < n; s *= 2) out[threadIdx.x + s] = s;\n"
             "  for (int s = n / 2; s > 0; s >>= 1) out[threadIdx.x + s] = s;\n"
             "  for (int s = 1; s < n; s += 1) out[threadIdx.x + s] = s;\n"
             "  for (int s = 1; s < 256; s *= 4) out[threadIdx.x + s] = s;\n"
             "}\n");
  std::vector<double> counts;
  for (const Frequency &one : found)
    counts.push_back(one.perWarp);
  const double steps = std::log2(Frequencies::unknownLength);
  EXPECT_THAT(counts, UnorderedElementsAre(steps, steps, 4,
                                           Frequencies::unknownLength));
}

// Bitonic sorting: the first of ten rounds has one step, the last one ten.
TEST_F(FrequencyOf, HalvingLoopsInDoublingOnesCountTheirMiddle) {
  auto rounds = [&](const std::string &loops) {
    const auto found = stores("__global__ void k(int *out, int n) {\n" + loops +
                              "out[threadIdx.x + i * j] = i;\n"
                              "}\n"
                              "int main() { k<<<64, 256>>>(0, 1024); }\n");
    return found.size() == 1 ? found[0].perWarp : 0;
  };
  EXPECT_DOUBLE_EQ(rounds("for (int i = 2; i <= n; i *= 2)\n"
                          "  for (int j = i / 2; j > 0; j /= 2)\n"),
                   55);
  EXPECT_DOUBLE_EQ(rounds("for (unsigned i = 2; i < n; i <<= 1)\n"
                          "  for (unsigned j = i >> 1; j >= 1; j >>= 1)\n"),
                   45);
  EXPECT_DOUBLE_EQ(rounds("for (int i = 2; i <= n; i *= 2)\n"
                          "  for (int j = 1; j < i; j *= 2)\n"),
                   55);
}

// No value of an unknown offset is known to lie behind the bound.
TEST_F(FrequencyOf, ConstantBoundsOfAnUnknownGridLetItsBlocksThrough) {
  const auto found =
      stores("__global__ void k(int *out, int offset) {\n"
             "  int i = blockIdx.x * blockDim.x + threadIdx.x + offset;\n"
             "  if (i < 1024) out[i] = 1;\n"
             "  if (blockIdx.x == 0) out[threadIdx.x] = 2;\n"
             "}\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_DOUBLE_EQ(std::max(found[0].perWarp, found[1].perWarp), 1);
  EXPECT_LT(std::min(found[0].perWarp, found[1].perWarp), 0.01);
}

TEST_F(FrequencyOf, AGridIsKnownWhereOtherArgumentsAreNot) {
  stores("__global__ void k(int *out, int n) {\n"
         "  for (int i = 0; i < n; ++i) out[threadIdx.x + i * 256] = i;\n"
         "}\n"
         "void run(int n) { k<<<3, 64>>>(0, n); }\n");
  const Kernel &kernel = model.kernels.at(0);
  EXPECT_EQ(Frequencies(kernel, kernel.shapes[0]).warps(), 6);
}

// Reports name the count: one more would be wrong.
TEST_F(FrequencyOf, ConditionsStandBeforeOrBehindTheBody) {
  const auto found = stores("__global__ void k(int *out, int n) {\n"
                            "  int i = 0;\n"
                            "  do {\n"
                            "    out[threadIdx.x + i * 256] = i;\n"
                            "    i += 5;\n"
                            "  } while (i < n);\n"
                            "  for (int j = n; j > 0; --j)\n"
                            "    out[threadIdx.x + j * 256] = j;\n"
                            "}\n" +
                            launched);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_DOUBLE_EQ(found[0].perWarp, 20);
  EXPECT_DOUBLE_EQ(found[1].perWarp, 100);
}

// 'break' on data ends a long loop early, and a short one hardly.
TEST_F(FrequencyOf, DataMayEndALoopBeforeItsCounterDoes) {
  const std::string loop = "  for (int j = 0; j < n; ++j) {\n"
                           "    if (out[j] == 7)\n"
                           "      break;\n"
                           "    out[threadIdx.x + j * 256] = j;\n"
                           "  }\n"
                           "}\n";
  const auto found =
      stores("__global__ void k(int *out, int n) {\n" + loop + launched);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_DOUBLE_EQ(found[0].perWarp, Frequencies::dataLength);
  const auto few = stores("__global__ void k(int *out, int n) {\n" + loop +
                          "int main() { k<<<64, 256>>>(0, 9); }\n");
  ASSERT_EQ(few.size(), 1u);
  EXPECT_DOUBLE_EQ(few[0].perWarp, 9);
}

// The horizon of a filter, 12 of its samples, was taken for 512: its loop for
// the dearest one of the kernel.
TEST_F(FrequencyOf, AMinimumLimitsALoopToItsConstant) {
  auto iterations = [&](const std::string &head) {
    const auto found =
        stores("__global__ void k(int *out, unsigned n, int m, "
               "const int *ends) {\n" +
               head + "out[threadIdx.x + j * 256] = j;\n}\n" + launched);
    return found.size() == 1 ? found[0].perWarp : 0;
  };
  EXPECT_DOUBLE_EQ(iterations("const unsigned end = 12 < n ? 12 : n;\n"
                              "for (unsigned j = 0; j < end; ++j)"),
                   12);
  EXPECT_DOUBLE_EQ(iterations("for (int j = 0; j < min(m, 12); j += 2)"), 6);
  EXPECT_DOUBLE_EQ(iterations("int end = min(ends[blockIdx.x], 12);\n"
                              "for (int j = 0; j < end; ++j)"),
                   12);
  EXPECT_DOUBLE_EQ(iterations("int from = blockIdx.x * 48;\n"
                              "for (int j = from; j < min(from + 48, m); ++j)"),
                   48);
}

// `z * z` is 1 and 16 in turn, and never 64: it is no counter, which would end
// the loop after five iterations.
TEST_F(FrequencyOf, AStateThatEachIterationComputesAnewIsNoCounter) {
  const auto found = stores("__global__ void k(int *out, int n) {\n"
                            "  int z = 1;\n"
                            "#pragma unroll 1\n"
                            "  for (int i = 0; i < n; ++i) {\n"
                            "    const int square = z * z;\n"
                            "    if (square > 64)\n"
                            "      break;\n"
                            "    out[threadIdx.x] = i;\n"
                            "    z = square * 4 % 7;\n"
                            "  }\n"
                            "}\n" +
                            launched);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_GT(found[0].perWarp, 50);
}

TEST_F(FrequencyOf, UnknownBoundsAreTakenToBeLargeAndNamed) {
  const auto found = stores("__global__ void k(int *out, int rows, int n) {\n"
                            "  for (int i = 0; i < rows; ++i)\n"
                            "    out[threadIdx.x + i * n] = i;\n"
                            "}\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_DOUBLE_EQ(found[0].perWarp, Frequencies::unknownLength);
  EXPECT_THAT(assumed, ElementsAre("rows"));
}

// "taken to be large: '0'" would tell nobody anything.
TEST_F(FrequencyOf, TheEndOfALoopThatCountsDownIsNoSize) {
  const auto found = stores("__global__ void k(int *out, int rows) {\n"
                            "  for (int i = rows; i > 0; --i)\n"
                            "    out[threadIdx.x + i * 256] = i;\n"
                            "}\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_DOUBLE_EQ(found[0].perWarp, Frequencies::unknownLength);
  EXPECT_THAT(assumed, IsEmpty());
}

// From -2 to -1 is no halving.
TEST_F(FrequencyOf, AWindowOfRadiusTwoHasFiveElements) {
  const auto found = stores("__global__ void k(int *out, int radius) {\n"
                            "  for (int r = -radius; r <= radius; ++r)\n"
                            "    out[threadIdx.x + r] = r;\n"
                            "}\n"
                            "int main() { k<<<64, 256>>>(0, 2); }\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_DOUBLE_EQ(found[0].perWarp, 5);
}

// A kernel that a flag in memory ends early is none of one block.
TEST_F(FrequencyOf, WhatIsTheSameForAllBlocksIsExecutedByAll) {
  auto after = [&](const std::string &condition) {
    const auto found =
        stores("__global__ void k(int *out, const int *flag, int mode) {\n"
               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  if (" +
               condition +
               ") return;\n"
               "  out[i] = 1;\n"
               "}\n"
               "int main(int, char **v) { k<<<64, 256>>>(0, 0, **v); }\n");
    return found.size() == 1 ? found[0].perWarp : 0;
  };
  EXPECT_DOUBLE_EQ(after("*flag"), 1);
  EXPECT_DOUBLE_EQ(after("*flag != 3"), 1);
  EXPECT_DOUBLE_EQ(after("mode != 3"), 1);
  EXPECT_LT(after("blockIdx.x != mode"), 0.1);
}

TEST_F(FrequencyOf, ASearchGoesOnUntilDataEndIt) {
  const auto found = stores("__global__ void k(int *out, int n) {\n"
                            "  __shared__ int found;\n"
                            "  found = 0;\n"
                            "  __syncthreads();\n"
                            "  while (!found) {\n"
                            "    out[threadIdx.x] += 1;\n"
                            "    __syncthreads();\n"
                            "    if (out[threadIdx.x] == n) found = 1;\n"
                            "    __syncthreads();\n"
                            "  }\n"
                            "}\n" +
                            launched);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_DOUBLE_EQ(found[1].perWarp, Frequencies::dataLength);
}

TEST_F(FrequencyOf, TheLastBlockIsOneBlock) {
  auto rest = [&](const std::string &body) {
    const auto found =
        stores("__global__ void k(int *out, unsigned *done) {\n"
               "  __shared__ bool isLast;\n"
               "  if (threadIdx.x == 0)\n"
               "    isLast = atomicAdd(done, 1u) == gridDim.x - 1;\n"
               "  __syncthreads();\n" +
               body +
               "}\n"
               "int main() { k<<<64, 256>>>(0, 0); }\n");
    return found.size() == 2 ? found[1].perWarp : 1;
  };
  EXPECT_DOUBLE_EQ(rest("  if (isLast) out[threadIdx.x] = 1;\n"), 1 / 512.0);
  EXPECT_DOUBLE_EQ(rest("  if (!isLast) return;\n"
                        "  out[threadIdx.x] = 1;\n"),
                   1 / 512.0);
}

// A few hundred blocks for any size: each thread has many elements.
TEST_F(FrequencyOf, AConstantGridLeavesMoreToEachThread) {
  auto trips = [&](const std::string &grid) {
    const auto found = stores(overGrid + "void run(int n) { k<<<" + grid +
                              ", 256>>>(0, n); }\n");
    return found.size() == 1 ? found[0].perWarp : 0;
  };
  EXPECT_DOUBLE_EQ(trips("256"), Frequencies::gridElements / (256 * 256));
  EXPECT_DOUBLE_EQ(trips("64"), Frequencies::gridElements / (64 * 256));
  EXPECT_DOUBLE_EQ(trips("(n + 255) / 256"), 1);
}

// The step that a constant spells, and the part of each block.
TEST_F(FrequencyOf, AConstantGridLeavesMoreInOtherSpellings) {
  auto trips = [&](const std::string &loop) {
    const auto found =
        stores("__global__ void k(int *out, size_t n, int part) {\n"
               "  int from = blockIdx.x * part;\n" +
               loop +
               "    out[i] = i;\n"
               "}\n"
               "void f(int *out, size_t n, int p) { k<<<64, 256>>>(out, n, p);"
               " }\n");
    return found.size() == 1 ? found[0].perWarp : 0;
  };
  const double expected = Frequencies::gridElements / (64 * 256);
  EXPECT_DOUBLE_EQ(
      trips("for (size_t i = threadIdx.x + blockIdx.x * blockDim.x;"
            " i < n; i += 64 * 256)\n"),
      expected);
  EXPECT_DOUBLE_EQ(
      trips("for (int i = from + threadIdx.x; i < from + part; i += 256)\n"),
      expected);
}

// A finding in a loop that runs once is not worth the work, although the loop
// could go on: the host launches a thread for each element.
TEST_F(FrequencyOf, AGridThatCoversASizeLeavesOneIteration) {
  auto iterations = [&](const std::string &launch) {
    const auto found =
        stores(overGrid +
               "struct Size { int n, w; int count() const; };\n"
               "int min(int a, int b);\n"
               "inline int blocksFor(int n) { return (n + 255) / 256; }\n"
               "void run(int *p, int n, int m, int threads, Size size) {\n" +
               launch + "}\n");
    return found.size() == 1 ? found[0].perWarp : 0;
  };
  for (const char *covered :
       {"k<<<(n + 255) / 256, 256>>>(p, n);", "k<<<n / 256 + 1, 256>>>(p, n);",
        "k<<<int(n / 256.0), 256>>>(p, n);",
        "int blocks = blocksFor(n * m * 3); k<<<blocks, 256>>>(p, n * m * 3);",
        "k<<<dim3(blocksFor(size.n)), dim3(256)>>>(p, size.n);",
        "int all = size.count(); k<<<blocksFor(all), 256>>>(p, all);",
        "k<<<min((n + 255) / 256, 65535), 256>>>(p, n);",
        "int blocks = (n + 255) / 256; if (blocks > 65535) blocks = 65535;\n"
        "k<<<blocks, 256>>>(p, n);"})
    EXPECT_DOUBLE_EQ(iterations(covered), 1) << covered;
  EXPECT_THAT(assumed, IsEmpty());
  // Parts of four elements; 1,024 blocks for 4 million.
  EXPECT_DOUBLE_EQ(iterations("k<<<blocksFor(n / 4), 256>>>(p, n);"), 4);
  EXPECT_DOUBLE_EQ(iterations("k<<<min(blocksFor(n), 1024), 256>>>(p, n);"),
                   16);
  EXPECT_THAT(assumed, ElementsAre("n"));
  // Nothing says how these belong together.
  for (const char *open :
       {"k<<<m, 256>>>(p, n);", "k<<<blocksFor(m), 256>>>(p, n);",
        "k<<<(n + threads - 1) / threads, 256>>>(p, n);",
        "k<<<(n + threads - 1) / threads, threads>>>(p, n);"})
    EXPECT_DOUBLE_EQ(iterations(open), Frequencies::gridTrips) << open;
}

// The value that stands for a size is smaller than a large step: the body runs
// in every iteration all the same, and one under `round < 1` once.
TEST_F(FrequencyOf, ALargeStepDoesNotEndTheLoopEarly) {
  auto perWarp = [&](const std::string &condition) {
    const auto found =
        stores("__global__ void k(int *out, size_t n) {\n"
               "  int round = 0;\n"
               "  for (size_t i = threadIdx.x + blockIdx.x * blockDim.x;"
               " i < n; i += 1 << 20, ++round)\n"
               "    if (" +
               condition +
               ")\n      out[i] = i;\n"
               "}\n"
               "void f(int *out, size_t n) { k<<<64, 256>>>(out, n); }\n");
    return found.size() == 1 ? found[0].perWarp : 0;
  };
  EXPECT_DOUBLE_EQ(perWarp("true"), Frequencies::gridElements / (1 << 20));
  EXPECT_DOUBLE_EQ(perWarp("round < 1"), 1);
}

// The size in a structure of arguments is loaded data, but no iteration changes
// it.
TEST_F(FrequencyOf, AGuardAroundALoopDoesNotEndIt) {
  const auto found = stores("struct View { float *data; int size; };\n"
                            "__global__ void k(View v) {\n"
                            "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                            "  if (i >= v.size) return;\n"
                            "  for (int j = 0; j < 10000; ++j)\n"
                            "    v.data[i * 10000 + j] = j;\n"
                            "}\n"
                            "void f(View v) { k<<<64, 256>>>(v); }\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_DOUBLE_EQ(found[0].longest, 10000);
}

TEST_F(FrequencyOf, HalvingLoopsTakeLogarithmicallyManyIterations) {
  const auto found =
      stores("__global__ void k(int *out) {\n"
             "  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1)\n"
             "    out[threadIdx.x + s] = s;\n"
             "}\n"
             "int main() { k<<<64, 256>>>(0); }\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_DOUBLE_EQ(found[0].perWarp, 8);
}

TEST_F(FrequencyOf, CodeOfOneThreadRunsInOneWarpOfTheBlock) {
  const auto found = stores("__global__ void k(int *out, int n) {\n"
                            "  if (threadIdx.x == 0)\n"
                            "    out[blockIdx.x] = n;\n"
                            "}\n" +
                            launched);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_DOUBLE_EQ(found[0].perWarp, 1.0 / 8);
  EXPECT_DOUBLE_EQ(found[0].longest, 1);
}

TEST_F(FrequencyOf, CodeOfOneBlockHardlyCounts) {
  const auto found = stores("__global__ void k(int *out, int n) {\n"
                            "  if (blockIdx.x == 0)\n"
                            "    out[threadIdx.x] = n;\n"
                            "}\n" +
                            launched);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LT(found[0].perWarp, 0.05);
}

TEST_F(FrequencyOf, GuardsThatEqualTheCounterHoldOnce) {
  const auto found = stores("__global__ void k(int *out, int n) {\n"
                            "  for (int i = 0; i < n; ++i)\n"
                            "    if (i == 3)\n"
                            "      out[threadIdx.x] = i;\n"
                            "}\n" +
                            launched);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_DOUBLE_EQ(found[0].perWarp, 1);
}

TEST_F(FrequencyOf, GuardsThatHoldInEachSecondIterationCountHalf) {
  const auto found = stores("__global__ void k(int *out, int n) {\n"
                            "  for (int i = 0; i < n; ++i)\n"
                            "    if (i % 2 == 0)\n"
                            "      out[threadIdx.x] = i;\n"
                            "}\n" +
                            launched);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].perWarp, 50, 1);
}

// Warps are kept while conditions are read, and freed while checks still ask.
TEST_F(FrequencyOf, AnAnswerDoesNotDependOnWhatWasAskedBefore) {
  model = readText("__global__ void k(int *out, int n) {\n"
                   "  for (int i = 0; i < n; ++i) {\n"
                   "    if (threadIdx.x == 0) out[i] = i;\n"
                   "    if (threadIdx.x < 96) out[threadIdx.x + i] = i;\n"
                   "    if (i == 7) out[threadIdx.x] = i;\n"
                   "  }\n"
                   "}\n" +
                   launched);
  ASSERT_EQ(model.kernels.size(), 1u);
  const Kernel &kernel = model.kernels[0];
  Frequencies together(kernel, kernel.shapes[0]),
      freed(kernel, kernel.shapes[0]);
  freed.release();
  std::vector<double> counts;
  for (const Access &access : kernel.accesses) {
    Frequencies alone(kernel, kernel.shapes[0]);
    const Frequency one = alone.of(access.loops, access.guard);
    for (Frequencies *other : {&together, &freed}) {
      const Frequency again = other->of(access.loops, access.guard);
      EXPECT_DOUBLE_EQ(again.perWarp, one.perWarp);
      EXPECT_DOUBLE_EQ(again.longest, one.longest);
    }
    counts.push_back(one.perWarp);
  }
  // A warp that no sampled iteration lets through counts one of them.
  EXPECT_THAT(counts, ElementsAre(DoubleNear((100 + 7) / 8.0, 1e-9),
                                  DoubleNear((300 + 5) / 8.0, 1e-9),
                                  DoubleNear(1, 1e-9)));
}

// Conditions behind constant bounds share the warps of the second block.
TEST_F(FrequencyOf, AnAnswerBehindConstantBoundsStandsAlone) {
  model = readText("__global__ void k(int *out, int offset) {\n"
                   "  int i = blockIdx.x * blockDim.x + threadIdx.x + offset;\n"
                   "  if (i < 1024) out[i] = 1;\n"
                   "  if (i < 1000 && threadIdx.x < 96) out[i] = 2;\n"
                   "  if (i < 900 && threadIdx.x == 7) out[i] = 3;\n"
                   "}\n");
  ASSERT_EQ(model.kernels.size(), 1u);
  const Kernel &kernel = model.kernels[0];
  Frequencies together(kernel, kernel.shapes[0]),
      freed(kernel, kernel.shapes[0]);
  freed.release();
  std::vector<double> counts;
  for (const Access &access : kernel.accesses) {
    Frequencies alone(kernel, kernel.shapes[0]);
    const Frequency one = alone.of(access.loops, access.guard);
    for (Frequencies *other : {&together, &freed})
      EXPECT_DOUBLE_EQ(other->of(access.loops, access.guard).perWarp,
                       one.perWarp);
    counts.push_back(one.perWarp);
  }
  EXPECT_THAT(counts, ElementsAre(1, 3.0 / 8, 1.0 / 8));
}

// All sizes are known, though the grid has more blocks than are evaluated.
TEST_F(FrequencyOf, LoopsOverAKnownGridCountTheirIterations) {
  const auto found =
      stores(overGrid + "int main() { k<<<64, 256>>>(0, 1 << 20); }\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].perWarp, (1 << 20) / (64 * 256), 1);
  EXPECT_THAT(assumed, IsEmpty());
}

// "taken to be large: '1.0'" says nothing.
TEST_F(FrequencyOf, ANumberIsNoSizeThatIsTakenToBeLarge) {
  stores("__global__ void k(float *out, float step) {\n"
         "  float s = 0;\n"
         "  while (s < 1.0f) s += step * s + out[threadIdx.x];\n"
         "  out[threadIdx.x] = s;\n"
         "}\n");
  EXPECT_THAT(assumed, IsEmpty());
  stores("__global__ void k(float *out, const int *next) {\n"
         "  for (int at = next[threadIdx.x]; at != -1; at = next[at])\n"
         "    out[threadIdx.x] += at;\n"
         "}\n");
  EXPECT_THAT(assumed, IsEmpty());
}

// A kernel that loads vectors handles the elements that fill none one by one.
TEST_F(FrequencyOf, TheLastElementsOfASizeAreOfOneBlock) {
  auto once = [&](const std::string &condition, const std::string &type) {
    const auto found = stores("__global__ void k(int *out, " + type +
                              " n) {\n"
                              "  " +
                              type +
                              " i = (blockIdx.x * blockDim.x + threadIdx.x) * "
                              "8;\n"
                              "  if (" +
                              condition +
                              ")\n"
                              "    for (; i < n; ++i) out[i] = 1;\n"
                              "}\n"
                              "void run(int n) {"
                              " k<<<n, 256>>>(0, n); }\n");
    return found.size() == 1 && found[0].perWarp < 0.01 &&
           found[0].longest <= 8;
  };
  EXPECT_TRUE(once("n - i < 8", "int"));
  EXPECT_TRUE(once("n - i < 8", "size_t"));
  EXPECT_TRUE(once("i + 8 > n", "int"));
  EXPECT_FALSE(once("i < n", "int"));
  EXPECT_FALSE(once("i >= 8", "int")) << "all blocks but the first";
  EXPECT_FALSE(once("i >= n", "int")) << "a second kernel in one";
}

// A block walks through a row whose length an argument gives, and through the
// words of a text whose length data give: the one is taken to be the longer.
TEST_F(FrequencyOf, RowsOfAnArgumentAreLongerThanThoseOfData) {
  auto trips = [&](const std::string &bound) {
    const auto found =
        stores("__global__ void k(int *out, const int *length, int n) {\n"
               "  int to = " +
               bound +
               ";\n"
               "  for (int i = threadIdx.x; i < to; i += blockDim.x)\n"
               "    out[i] = i;\n"
               "}\n"
               "void f(int b) { k<<<b, 256>>>(0, 0, b); }\n");
    return found.size() == 1 ? found[0].perWarp : 0;
  };
  EXPECT_EQ(trips("n"), Frequencies::gridTrips);
  EXPECT_EQ(trips("length[blockIdx.x]"), Frequencies::leastTrips);
}

// The size of a span, or of a functor's range, is an argument like any other.
// The 64 elements of a view counted as 2, since its pointer is only known to
// the run.
TEST_F(FrequencyOf, ADistanceBetweenPointersIsKnown) {
  const auto found = stores(
      "struct View { float *data; __device__ float *begin() const {\n"
      "  return data + threadIdx.x; }\n"
      "  __device__ float *end() const { return begin() + 64 * 256; } };\n"
      "__global__ void k(View v, int n) {\n"
      "  for (float *p = v.begin(); p != v.end(); p += 256) *p = 1;\n"
      "  for (int i = n - 8; i < n; ++i) v.data[i] = 2;\n"
      "}\n"
      "int main() { k<<<64, 256>>>(View{nullptr}, 0); }\n");
  std::vector<double> counts;
  for (const Frequency &one : found)
    counts.push_back(one.perWarp);
  EXPECT_THAT(counts, UnorderedElementsAre(64, 8));
  EXPECT_THAT(assumed, IsEmpty());
}

TEST_F(FrequencyOf, AMemberOfAnArgumentIsNoData) {
  auto trips = [&](const std::string &size) {
    const auto found =
        stores("struct Span { int *p; int n; };\n"
               "__global__ void k(Span s, int n, int *out) {\n"
               "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < " +
               size +
               "; i += gridDim.x * blockDim.x)\n"
               "    out[i] = s.p[i];\n"
               "}\n"
               "void f(int *p, int n) { k<<<256, 256>>>({p, n}, n, p); }\n");
    return found.size() == 1 ? found[0].perWarp : 0;
  };
  EXPECT_GT(trips("n"), Frequencies::gridTrips);
  EXPECT_EQ(trips("s.n"), trips("n"));
  EXPECT_LT(trips("s.p[0]"), trips("n"));
}

// cuda-samples' matrixMul lets '-n 512' change its size. Without this, no
// kernel of a program with options has a predicted time.
TEST_F(FrequencyOf, TheDefaultOfAProgramIsItsGrid) {
  auto warps = [&](const std::string &size) {
    model = readText("int atoi(const char *);\n"
                     "__global__ void k(int *out) { out[threadIdx.x] = 1; }\n"
                     "int main(int argc, char **argv) { int n = " +
                     size +
                     "; if (argc > 1) n = atoi(argv[1]);"
                     "k<<<n, 256>>>(0); }\n");
    return Frequencies(model.kernels[0], model.kernels[0].shapes[0]).warps();
  };
  EXPECT_EQ(warps("640"), 640 * 8);
  EXPECT_EQ(warps("1"), std::nullopt);
  EXPECT_EQ(warps("atoi(argv[0])"), std::nullopt);
}

// A tile of 512 elements holds two rounds of 256 threads, whatever a caller
// passes; at least four rounds were taken.
TEST_F(FrequencyOf, NoLoopGoesBeyondTheArrayThatItSteps) {
  auto through = [&](const std::string &body) {
    const auto found = stores("__global__ void k(int *out, int n) {\n"
                              "  __shared__ int tile[512];\n"
                              "  for (int i = threadIdx.x; i < n;\n"
                              "       i += blockDim.x) {\n    " +
                              body +
                              "\n    out[i] = 1;\n"
                              "  }\n"
                              "  out[n + threadIdx.x] = tile[threadIdx.x];\n"
                              "}\n"
                              "int main(int, char **v) {\n"
                              "  k<<<64, 256>>>(0, v[0][0]);\n"
                              "}\n");
    double most = 0;
    for (const Frequency &one : found)
      most = std::max(most, one.perWarp);
    return most;
  };
  EXPECT_DOUBLE_EQ(through("tile[i] = out[i];"), 2);
  EXPECT_THAT(assumed, IsEmpty()) << "it is not large, however large n is";
  const double unknown = through("out[i + 1] = out[i];");
  EXPECT_GT(unknown, 2);
  EXPECT_DOUBLE_EQ(through("tile[i % 512] = out[i];"), unknown);
  EXPECT_DOUBLE_EQ(through("if (i < 32) tile[i] = out[i];"), unknown);
  const auto halves =
      stores("__global__ void k(int n) {\n"
             "  __shared__ int tile[512];\n"
             "  for (int s = 256; s > n; s >>= 1)\n"
             "    tile[threadIdx.x] += tile[threadIdx.x + s];\n"
             "}\n"
             "int main(int, char **v) { k<<<64, 256>>>(v[0][0]); }\n");
  ASSERT_EQ(halves.size(), 1u);
  EXPECT_GT(halves[0].perWarp, 4);
}

// The faces of a field: one row of blocks has each of them, not one iteration
// in four of all blocks.
TEST_F(FrequencyOf, AnEdgeOfTheGridIsOfFewBlocks) {
  auto under = [&](const std::string &condition) {
    const auto found =
        stores("__global__ void k(int *out, int first, int n) {\n"
               "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;\n"
               "       i += blockDim.x * gridDim.x)\n"
               "    if (" +
               condition +
               ") out[i] = i;\n"
               "}\n" +
               "int main(int c, char **v) { k<<<1024, 256>>>(0, c, v[0][0]); "
               "}\n");
    return found.size() == 1 ? found[0].perWarp : -1;
  };
  EXPECT_GT(under("i + first < n"), 0.5);
  EXPECT_LT(under("i + first == 0"), 0.01);
  EXPECT_LT(under("i + first == n - 1"), 0.01);
  EXPECT_GT(under("i % 32 == 5"), 0.5);
}

// The first pass of a sorting network has no stride left, the last one all.
TEST_F(FrequencyOf, ALoopThatBeginsEmptyCountsInTheMiddleOfTheOneAround) {
  const auto found =
      stores("__global__ void k(int *out, int n) {\n"
             "  for (int size = 2; size <= n; size <<= 1)\n"
             "    for (int stride = size >> 2; stride > 0; stride >>= 1)\n"
             "      out[threadIdx.x * stride] = size;\n"
             "}\n" +
             launched);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].perWarp, 0 + 1 + 2 + 3 + 4 + 5, 2); // up to 100
}
