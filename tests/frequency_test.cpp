// How often warps execute code, of kernels as users write them.
#include "frequency_of.h"

using namespace warplint;
using testing::DoubleNear;
using testing::ElementsAre;

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

// The share of the blocks followed a value that nobody has given, and said so
// nowhere.
TEST_F(FrequencyOf, ASizeThatGroupsTheBlocksIsSaidToBeAssumed) {
  auto assumedUnder = [&](const std::string &condition) {
    stores("__global__ void k(int *out, int size, int m) {\n"
           "  if (" +
           condition +
           ") out[blockIdx.x * blockDim.x + threadIdx.x] = 1;\n}\n"
           "int main(int, char **v) { k<<<4096, 256>>>(0, **v, 4); }\n");
    return assumed;
  };
  EXPECT_THAT(assumedUnder("blockIdx.x / size == 0"), ElementsAre("size"));
  EXPECT_THAT(assumedUnder("blockIdx.x % size == 0"), ElementsAre("size"));
  EXPECT_THAT(assumedUnder("blockIdx.x / m == 0"), ElementsAre());
  EXPECT_THAT(assumedUnder("blockIdx.x < size"), ElementsAre());
}

// The block in the middle executes nothing of what half of them do: it was told
// with 0 % of the time.
TEST_F(FrequencyOf, AConditionOnTheBlockLetsItsPartOfThemThrough) {
  auto under = [&](const std::string &condition, const std::string &grid) {
    const auto found =
        stores("__global__ void k(int *out, int n) {\n"
               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  if (" +
               condition +
               ") out[i] = i;\n}\n"
               "int main(int c, char **v) { k<<<dim3(" +
               grid + "), 256>>>(0, 1); }\n");
    return found.size() == 1 ? found[0].perWarp : -1;
  };
  EXPECT_DOUBLE_EQ(under("blockIdx.y == 1", "4096, 2"), 0.5);
  EXPECT_DOUBLE_EQ(under("blockIdx.y == 1", "2, 2"), 0.5);
  EXPECT_DOUBLE_EQ(under("blockIdx.y == 1", "c, 3"), 1 / 3.0);
  EXPECT_DOUBLE_EQ(under("blockIdx.y == 1", "4096, 4"), 0.25);
  EXPECT_DOUBLE_EQ(under("blockIdx.z * 2 + blockIdx.y == 3", "4096, 2, 2"),
                   0.25);
  EXPECT_DOUBLE_EQ(under("blockIdx.y == 1 && threadIdx.x < 32", "4096, 2"),
                   0.5 / 8);
  EXPECT_NEAR(under("blockIdx.x % 2 == 1", "4096"), 0.5, 0.01);
  EXPECT_NEAR(under("blockIdx.x % 2 == 0", "4096"), 0.5, 0.01);
  EXPECT_NEAR(under("blockIdx.x & 1", "c"), 0.5, 0.01);
  EXPECT_NEAR(under("blockIdx.x > blockIdx.y", "64, 64"), 0.5, 0.15);
  EXPECT_DOUBLE_EQ(under("blockIdx.y / 32 == 3", "1, 128"), 0.25);
  EXPECT_DOUBLE_EQ(under("blockIdx.x % 2 && threadIdx.x < 32", "132"),
                   1 / 16.0);
  // No block of this grid, one row of many, one block of a row.
  auto isRare = testing::AllOf(testing::Ge(0), testing::Lt(0.01));
  EXPECT_THAT(under("blockIdx.y == 5", "4096, 2"), isRare);
  EXPECT_THAT(under("blockIdx.y == 1", "16, 4096"), isRare);
  EXPECT_THAT(under("blockIdx.y == 1 && blockIdx.x == 3", "4096, 2"), isRare);
}

// The rounds of SHA-256 that expand its words, 48 of 64, counted once: the
// first eight iterations have none of them.
TEST_F(FrequencyOf, ConditionsOnACounterAreAskedInTheWholeLoop) {
  auto under = [&](const std::string &condition, unsigned length = 64) {
    const auto found = stores("__global__ void k(volatile int *out) {\n"
                              "  for (int t = 0; t < 64; ++t)\n"
                              "    if (" +
                              condition +
                              ") *out = t;\n}\n"
                              "int main() { k<<<64, 256>>>(0); }\n");
    return found.size() == 1 ? found[0].perWarp : -1;
  };
  EXPECT_DOUBLE_EQ(under("t >= 16"), 48);
  EXPECT_DOUBLE_EQ(under("t < 16"), 16);
  EXPECT_DOUBLE_EQ(under("t % 16 == 5"), 4);
  EXPECT_DOUBLE_EQ(under("t == 40"), 1);
  EXPECT_DOUBLE_EQ(under("t + int(threadIdx.x) < 4096"), 64);
}
