// What loops take that read constants by their counters.
#include "cost/walked_constants.h"
#include "time_of.h"

using namespace warplint;

namespace {

struct WalkedConstants : TimeOf {
  /// Of a loop over a table whose element `index` it reads.
  double microseconds(const std::string &index, const std::string &words,
                      const std::string &loop = "") {
    const KernelTime &time = read(
        "__constant__ float table[16384];\n"
        "__global__ void k(const float *a, const int *at, float *sums,\n"
        "                  int words) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  float sum = 0, factor = a[i];\n" +
        loop + "  for (int w = 0; w < words; ++w)\n    sum += factor * table[" +
        index +
        "];\n"
        "  sums[i] = sum;\n"
        "}\n"
        "int main() { k<<<8192, 256>>>(0, 0, 0, " +
        words + "); }\n");
    return time.microseconds().value_or(0);
  }
};

} // namespace

// 25.9 cycles of an SM for each of 1,024 words that 64 warps read one by one,
// and 14.0 where the compiler reads pairs (H200, kernels/constant_walks): the
// kernel was said to take a tenth of that, and what else it does took its
// place.
TEST_F(WalkedConstants, ALongTableMissesTheirCache) {
  constexpr double warps = 8192 * 8 / 132.0, words = 1024,
                   perMicrosecond = 1755;
  auto cycles = [&](double microseconds) {
    return microseconds * perMicrosecond / (warps * words);
  };
  EXPECT_NEAR(cycles(microseconds("w", "1024", "#pragma unroll 1\n")), 25.9, 4);
  EXPECT_NEAR(cycles(microseconds("w", "1024")), 14.0, 3);
}

TEST_F(WalkedConstants, ShortTablesAndOtherIndexesDoNot) {
  auto ofWord = [&](const std::string &index, int words) {
    return microseconds(index, std::to_string(words)) / words;
  };
  EXPECT_LT(ofWord("w", 64) * 4, ofWord("w", 1024));
  EXPECT_LT(ofWord("at[blockIdx.x] + w", 1024) * 2, ofWord("w", 1024));
  // One word again and again, and copies of the whole body.
  EXPECT_LT(ofWord("words", 1024) * 4, ofWord("w", 1024));
  EXPECT_DOUBLE_EQ(walkCycles(4096, 16), 0) << "few warps wait side by side";
  EXPECT_DOUBLE_EQ(walkCycles(256, 64), 0);
}
