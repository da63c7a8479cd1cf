// How many iterations loops have: known counts, and estimates.
#include "frequency_of.h"

using namespace warplint;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

using TripsOf = FrequencyOf;

TEST_F(TripsOf, LoopsWithConstantBoundsCountTheirIterations) {
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

// `i < n && i < N` with an N of 1 was 32 iterations, and a kernel took eleven
// times as long as it does.
TEST_F(TripsOf, AFlagThatEndsTheLoopAtOnceIsKnown) {
  const auto found =
      stores("template <int N> __global__ void k(int *out, const int *in,\n"
             "                                   int n) {\n"
             "  for (int j = threadIdx.x, i = 0; j < n && i < N; ++i) {\n"
             "    out[j] = in[j];\n"
             "    j += blockDim.x;\n"
             "  }\n"
             "}\n"
             "int main(int, char **v) {\n"
             "  k<1><<<64, 256>>>(0, 0, v[0][0]);\n"
             "}\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_DOUBLE_EQ(found[0].perWarp, 1);
}

// A reader could not make the value that a compare-and-swap gives smaller.
TEST_F(TripsOf, TheRetriesOfACompareAndSwapAreNoSize) {
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

// The flags of a cooperative group were the dearest of a kernel that never waits
// at them.
TEST_F(TripsOf, AWaitForAnotherThreadIsOneIteration) {
  const auto times = [](const std::string &loop) {
    const SourceModel model =
        readText("__global__ void k(volatile int *flag, int *out) {\n"
                 "  int i = 0, sum = 0;\n  " +
                 loop + "\n  out[threadIdx.x] = sum;\n}\n");
    const Kernel &kernel = model.kernels.at(0);
    return Frequencies(kernel, kernel.shapes[0]).trips(0).count;
  };
  EXPECT_EQ(times("while (flag[0] == 0) ++sum;"), 1);
  EXPECT_EQ(times("do asm volatile(\"ld.acquire.gpu.u32 %0, [%1];\" : "
                  "\"=r\"(i) : \"l\"(flag) : \"memory\"); while (!i);"),
            1);
  EXPECT_EQ(times("long long from = clock64(), past = 0;"
                  "while (past < 10000) past = clock64() - from;"),
            1);
  EXPECT_EQ(times("while (flag[i++] == 0) ++sum;"), 64);
  EXPECT_EQ(times("while (sum >= 0) sum = flag[sum];"), 64);
  EXPECT_EQ(times("while (flag[0] > 0) { ++sum; --flag[0]; }"), 64);
}

// Each counted as 512 iterations, the most of its kernel: of the two loops over
// a row in PyTorch's layer norms, the one that never runs was the dearest.
TEST_F(TripsOf, WhatLargerStepsLeaveIsShort) {
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

TEST_F(TripsOf, TriangularLoopsCountTheirMiddle) {
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

// Each iteration of the loop around looks through what data have put into a
// list, and the first finds it empty: k nearest neighbours were taken to move
// one element each time, and move eleven (counted by ncu).
TEST_F(TripsOf, AListThatDataMakeGrowIsAssumedToHaveGrown) {
  const auto inList = [&](const std::string &body) {
    const auto found =
        stores("__global__ void k(int *out, const int *in, int n) {\n"
               "  int count = 0;\n"
               "  for (int i = 1; i < 20; ++i) {\n" +
               body + "  }\n}\n");
    return found.empty() ? Frequency() : found[0];
  };
  const Frequency moved =
      inList("    int to = i - 1;\n"
             "    for (int a = 0; a < i - 1; ++a)\n"
             "      if (in[a * n] > in[i * n]) { to = a; break; }\n"
             "    for (int j = i; j > to; --j) out[j * n] = i;\n");
  EXPECT_NEAR(moved.perWarp, 19 * 10, 19);
  const Frequency searched =
      inList("    for (int j = 0; j < count; ++j) out[j * n] = i;\n"
             "    if (in[i * n] > 0) ++count;\n");
  EXPECT_NEAR(searched.perWarp, 19 * 9.5, 2 * 19);
}

TEST_F(TripsOf, ArgumentsOfTheLaunchBoundTheLoop) {
  const auto found = stores("__global__ void k(int *out, int n) {\n"
                            "  for (int i = 0; i < n; ++i)\n"
                            "    out[threadIdx.x + i * 256] = i;\n"
                            "}\n" +
                            launched);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_DOUBLE_EQ(found[0].perWarp, 100);
}

// A scan or a tree over 'n' elements takes a step for each power of two.
TEST_F(TripsOf, CountersThatDoubleOrHalveTakeFewSteps) {
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
  const double steps = std::log2(TripCounts::unknownLength);
  EXPECT_THAT(counts, UnorderedElementsAre(steps, steps, 4,
                                           TripCounts::unknownLength));
}

// Bitonic sorting: the first of ten rounds has one step, the last one ten.
TEST_F(TripsOf, HalvingLoopsInDoublingOnesCountTheirMiddle) {
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

// Reports name the count: one more would be wrong.
TEST_F(TripsOf, ConditionsStandBeforeOrBehindTheBody) {
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

// The horizon of a filter, 12 of its samples, was taken for 512: its loop for
// the dearest one of the kernel.
TEST_F(TripsOf, AMinimumLimitsALoopToItsConstant) {
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
  EXPECT_THAT(assumed, IsEmpty());
  // 'end' was said to be taken to be large.
  EXPECT_DOUBLE_EQ(iterations("int from = blockIdx.y * 16;\n"
                              "int end = min(from + 16, m);\n"
                              "for (int j = from; j < end; ++j)"),
                   16);
  EXPECT_THAT(assumed, IsEmpty());
  EXPECT_DOUBLE_EQ(iterations("int from = blockIdx.y * 16;\n"
                              "int end = from + 16 < m ? m : from + 16;\n"
                              "for (int j = from; j < end; ++j)"),
                   512)
      << "a maximum limits nothing";
  EXPECT_THAT(assumed, ElementsAre("end"));
}

// `z * z` is 1 and 16 in turn, and never 64: it is no counter, which would end
// the loop after five iterations.
TEST_F(TripsOf, AStateThatEachIterationComputesAnewIsNoCounter) {
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

TEST_F(TripsOf, UnknownBoundsAreTakenToBeLargeAndNamed) {
  const auto found = stores("__global__ void k(int *out, int rows, int n) {\n"
                            "  for (int i = 0; i < rows; ++i)\n"
                            "    out[threadIdx.x + i * n] = i;\n"
                            "}\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_DOUBLE_EQ(found[0].perWarp, TripCounts::unknownLength);
  EXPECT_THAT(assumed, ElementsAre("rows"));
}

// "taken to be large: '0'" would tell nobody anything.
TEST_F(TripsOf, TheEndOfALoopThatCountsDownIsNoSize) {
  const auto found = stores("__global__ void k(int *out, int rows) {\n"
                            "  for (int i = rows; i > 0; --i)\n"
                            "    out[threadIdx.x + i * 256] = i;\n"
                            "}\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_DOUBLE_EQ(found[0].perWarp, TripCounts::unknownLength);
  EXPECT_THAT(assumed, IsEmpty());
}

// From -2 to -1 is no halving.
TEST_F(TripsOf, AWindowOfRadiusTwoHasFiveElements) {
  const auto found = stores("__global__ void k(int *out, int radius) {\n"
                            "  for (int r = -radius; r <= radius; ++r)\n"
                            "    out[threadIdx.x + r] = r;\n"
                            "}\n"
                            "int main() { k<<<64, 256>>>(0, 2); }\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_DOUBLE_EQ(found[0].perWarp, 5);
}

// A few hundred blocks for any size: each thread has many elements.
TEST_F(TripsOf, AConstantGridLeavesMoreToEachThread) {
  auto trips = [&](const std::string &grid) {
    const auto found = stores(overGrid + "void run(int n) { k<<<" + grid +
                              ", 256>>>(0, n); }\n");
    return found.size() == 1 ? found[0].perWarp : 0;
  };
  EXPECT_DOUBLE_EQ(trips("256"), TripCounts::gridElements / (256 * 256));
  EXPECT_DOUBLE_EQ(trips("64"), TripCounts::gridElements / (64 * 256));
  EXPECT_DOUBLE_EQ(trips("(n + 255) / 256"), 1);
}

// The step that a constant spells, and the part of each block.
TEST_F(TripsOf, AConstantGridLeavesMoreInOtherSpellings) {
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
  const double expected = TripCounts::gridElements / (64 * 256);
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
TEST_F(TripsOf, AGridThatCoversASizeLeavesOneIteration) {
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
    EXPECT_DOUBLE_EQ(iterations(open), TripCounts::gridTrips) << open;
}

// The value that stands for a size is smaller than a large step: the body runs
// in every iteration all the same, and one under `round < 1` once.
TEST_F(TripsOf, ALargeStepDoesNotEndTheLoopEarly) {
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
  EXPECT_DOUBLE_EQ(perWarp("true"), TripCounts::gridElements / (1 << 20));
  EXPECT_DOUBLE_EQ(perWarp("round < 1"), 1);
}

TEST_F(TripsOf, HalvingLoopsTakeLogarithmicallyManyIterations) {
  const auto found =
      stores("__global__ void k(int *out) {\n"
             "  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1)\n"
             "    out[threadIdx.x + s] = s;\n"
             "}\n"
             "int main() { k<<<64, 256>>>(0); }\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_DOUBLE_EQ(found[0].perWarp, 8);
}

// All sizes are known, though the grid has more blocks than are evaluated.
TEST_F(TripsOf, LoopsOverAKnownGridCountTheirIterations) {
  const auto found =
      stores(overGrid + "int main() { k<<<64, 256>>>(0, 1 << 20); }\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].perWarp, (1 << 20) / (64 * 256), 1);
  EXPECT_THAT(assumed, IsEmpty());
}

// "taken to be large: '1.0'" says nothing.
TEST_F(TripsOf, ANumberIsNoSizeThatIsTakenToBeLarge) {
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

// A block walks through a row whose length an argument gives, and through the
// words of a text whose length data give: the one is taken to be the longer.
TEST_F(TripsOf, RowsOfAnArgumentAreLongerThanThoseOfData) {
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
  EXPECT_EQ(trips("n"), TripCounts::gridTrips);
  EXPECT_EQ(trips("length[blockIdx.x]"), TripCounts::leastTrips);
}

// The size of a span, or of a functor's range, is an argument like any other.
// The 64 elements of a view counted as 2, since its pointer is only known to
// the run.
TEST_F(TripsOf, ADistanceBetweenPointersIsKnown) {
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

// The first pass of a sorting network has no stride left, the last one all.
TEST_F(TripsOf, ALoopThatBeginsEmptyCountsInTheMiddleOfTheOneAround) {
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

// The table of marching cubes gives five triangles at most, in three bits.
TEST_F(TripsOf, ABoundOfFewBitsIsSmallWhateverDataSay) {
  const auto times = [](const std::string &bound) {
    const SourceModel model =
        readText("__global__ void k(const unsigned *in, unsigned *out) {\n"
                 "  unsigned data = in[threadIdx.x];\n"
                 "  for (unsigned i = 0; i < (" +
                 bound + "); ++i) out[i * 1024 + threadIdx.x] = data;\n}\n");
    const Kernel &kernel = model.kernels.at(0);
    return Frequencies(kernel, kernel.shapes[0]).trips(0).count;
  };
  EXPECT_EQ(times("data & 7"), 7);
  EXPECT_EQ(times("data % 5"), 4);
  EXPECT_EQ(times("data >> 28"), 15);
  EXPECT_EQ(times("data & 1023"), 64);
  EXPECT_EQ(times("data"), 64);
}

// From the end of a list down to the place that a search has found.
TEST_F(TripsOf, DataChooseHalfOfAListOnAverage) {
  const auto found =
      stores("__global__ void k(float *list, const float *in, int size) {\n"
             "  float v = in[threadIdx.x];\n"
             "  int at = size - 1;\n"
             "  for (int i = 0; i < size - 1; ++i)\n"
             "    if (list[i] > v) { at = i; break; }\n"
             "  for (int j = size - 1; j > at; --j)\n"
             "    list[j] = list[j - 1];\n"
             "}\n"
             "int main() { k<<<1, 32>>>(0, 0, 21); }\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_DOUBLE_EQ(found[0].perWarp, 10);
}
