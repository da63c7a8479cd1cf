// What loops take that read constants by their counters.
#include "cost/walked_constants.h"
#include "time_of.h"

using namespace warplint;

namespace {

struct WalkedConstants : TimeOf {
  /// Of a loop over a table whose element `index` it reads, in blocks of
  /// `threads`.
  double microseconds(const std::string &index, const std::string &words,
                      const std::string &loop = "", unsigned threads = 256) {
    const KernelTime &time = read(
        "__constant__ float table[16384];\n"
        "__global__ void k(const float *a, const int *at, float *sums,\n"
        "                  int words) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i >= 1 << 21) return;\n"
        "  float sum = 0, factor = a[i];\n" +
        loop + "  for (int w = 0; w < words; ++w)\n    sum += factor * table[" +
        index +
        "];\n"
        "  sums[i] = sum;\n"
        "}\n"
        "int main() { k<<<(1 << 21) / " +
        std::to_string(threads) + ", " + std::to_string(threads) +
        ">>>(0, 0, 0, " + words + "); }\n");
    return time.microseconds().value_or(0);
  }
  Frequencies &frequenciesOf() {
    return timeOf(*kernel, kernel->shapes[0]).frequencies();
  }
  /// The load of the table.
  unsigned walked() {
    const std::vector<Access> &all = kernel->kernel.accesses;
    return llvm::find_if(
               all,
               [](const Access &one) { return one.space == Space::Constant; }) -
           all.begin();
  }
  /// Of an SM for each word that a warp reads.
  double cycles(double microseconds, double words) {
    constexpr double warps = (1 << 21) / 32 / 132.0, perMicrosecond = 1755;
    return microseconds * perMicrosecond / (warps * words);
  }
};

} // namespace

// An H200 takes 28.0 cycles of an SM for each of 512 words that blocks of 64
// threads read one by one, and 13.3 where the compiler reads pairs
// (kernels/constant_walks): the kernel was said to take a tenth of that, and
// what else it does took its place.
TEST_F(WalkedConstants, ALongTableMissesTheirCache) {
  const std::string alone = "#pragma unroll 1\n";
  EXPECT_NEAR(cycles(microseconds("w", "512", alone, 64), 512), 28, 5);
  EXPECT_NEAR(cycles(microseconds("w", "512", "", 64), 512), 13.3, 3);
}

// Two blocks of 1024 threads, or few of any size, are in step: .5 to 1.7.
TEST_F(WalkedConstants, BlocksThatAreInStepLoseNothing) {
  EXPECT_LT(cycles(microseconds("w", "512", "", 1024), 512), 2);
  const double few =
      cyclesOfWalks(kernel->kernel, frequenciesOf(), 12, 3, throughputOf(90))
          .at(walked());
  EXPECT_EQ(few, 0);
}

TEST_F(WalkedConstants, ShortTablesAndOtherIndexesDoNot) {
  EXPECT_LT(cycles(microseconds("w", "64"), 64), 3);
  EXPECT_LT(cycles(microseconds("at[blockIdx.x] + w", "1024"), 1024), 4);
  EXPECT_LT(cycles(microseconds("blockIdx.x % 8 + w", "1024"), 1024), 4);
  // One word again and again, and passes over 128 bytes.
  EXPECT_LT(cycles(microseconds("words", "1024"), 1024), 3);
  EXPECT_LT(cycles(microseconds("w", "1024", "#pragma unroll 32\n"), 1024), 3);
}

// Only an H200 was measured.
TEST_F(WalkedConstants, OtherGpusAreNotSpokenOf) {
  microseconds("w", "1024");
  for (unsigned other : {80u, 100u})
    EXPECT_EQ(cyclesOfWalks(kernel->kernel, frequenciesOf(), 64, 8,
                            throughputOf(other))
                  .at(walked()),
              0);
}

TEST_F(WalkedConstants, TheBytesOfThePartThatIsReadAreTheLoops) {
  microseconds("w", "1000");
  const auto walk = constantWalk(
      kernel->kernel, kernel->kernel.accesses[walked()], frequenciesOf());
  ASSERT_TRUE(walk);
  EXPECT_EQ(walk->bytes, 4000);
  EXPECT_EQ(walk->body, 64);
}
