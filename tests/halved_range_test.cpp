// A search that halves its range takes as many steps as the range has digits.
#include "cost/halved_range.h"
#include "frequency_of.h"
#include "kernel_of.h"

using namespace warplint;

namespace {

struct HalvedRanges : FrequencyOf {
  /// The steps of a search, each of which stores.
  double steps(const std::string &loop, const std::string &size = "1 << 20") {
    const auto found = stores(
        "__global__ void k(const int *sorted, const int *key, int *out,\n"
        "                  int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x, k = key[i];\n" +
        loop +
        "}\n"
        "int main(int, char **v) {\n"
        "  k<<<4096, 256>>>(0, 0, 0, " +
        size + ");\n}\n");
    return found.size() == 1 ? found[0].perWarp : -1;
  }
};

} // namespace

// A million elements take 20 steps; they were said to take 64, and a search
// 1,157 us for the 301 of an H200.
TEST_F(HalvedRanges, ABinarySearchTakesAsManyStepsAsDigits) {
  EXPECT_DOUBLE_EQ(steps("  int lo = 0, hi = n;\n"
                         "  while (lo < hi) {\n"
                         "    int m = (lo + hi) / 2;\n"
                         "    if (sorted[m] < k) lo = m + 1; else hi = m;\n"
                         "    out[m * 32] = i;\n"
                         "  }\n"),
                   20);
  EXPECT_DOUBLE_EQ(steps("  unsigned lo = 0, hi = n;\n"
                         "  while (hi - lo > 1) {\n"
                         "    unsigned m = lo + (hi - lo >> 1);\n"
                         "    if (sorted[m] <= k) lo = m; else hi = m;\n"
                         "    out[m * 32] = i;\n"
                         "  }\n"),
                   20);
  EXPECT_DOUBLE_EQ(steps("  int lo = 0, hi = n;\n"
                         "  while (lo < hi) {\n"
                         "    int m = (lo + hi) / 2;\n"
                         "    if (sorted[m] < k) lo = m + 1; else hi = m;\n"
                         "    out[m * 32] = i;\n"
                         "  }\n",
                         "v[0][0]"),
                   22)
      << "of a range that nobody knows";
}

// A search of four steps has no more, and a mean is no middle.
TEST_F(HalvedRanges, OtherEndsCountAsWell) {
  EXPECT_DOUBLE_EQ(steps("  int lo = 0, hi = n;\n"
                         "  for (int s = 0; s < 4 && lo < hi; ++s) {\n"
                         "    int m = (lo + hi) / 2;\n"
                         "    if (sorted[m] < k) lo = m + 1; else hi = m;\n"
                         "    out[m * 32] = i;\n"
                         "  }\n"),
                   4);
  EXPECT_GT(steps("  int x = 1000, y = 0;\n"
                  "  for (int t = 0; t < n; ++t) {\n"
                  "    x = (x + y) >> 1;\n"
                  "    y = sorted[t * 64 + i];\n"
                  "    out[t] = x;\n"
                  "    if (x == -1) break;\n"
                  "  }\n",
                  "4096"),
            40);
}

TEST_F(HalvedRanges, OtherLoopsHalveNone) {
  // The middle is read, and the range shrinks by one.
  const Kernel kernel =
      kernelOf("__global__ void k(const int *a, int *out, int n) {\n"
               "  int lo = 0, hi = n, s = 0;\n"
               "  while (lo < hi) {\n"
               "    s += a[(lo + hi) / 2];\n"
               "    if (a[lo] < a[hi]) ++lo; else --hi;\n"
               "  }\n"
               "  out[threadIdx.x] = s;\n"
               "}\n");
  ASSERT_EQ(kernel.loops.size(), 1u);
  EXPECT_FALSE(halvedRange(kernel, 0));
}
