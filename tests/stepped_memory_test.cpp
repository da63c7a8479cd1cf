// Loops of unknown length end where the memory does that they step through.
#include "frequency_of.h"

using namespace warplint;
using testing::IsEmpty;

using SteppedMemory = FrequencyOf;

// A tile of 512 elements holds two rounds of 256 threads, whatever a caller
// passes; at least four rounds were taken.
TEST_F(SteppedMemory, NoLoopGoesBeyondTheArrayThatItSteps) {
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

// 64 steps of keys of 16 words, each of which ends where the next one begins,
// read four keys of others: a hash was bound by L1 instead of by DRAM.
TEST_F(SteppedMemory, ARowThatDataEndIsAsLongAsLanesAreApart) {
  auto stepsOf = [&](const std::string &step, const std::string &row) {
    const auto found =
        stores("__global__ void k(unsigned *keys, const unsigned *lengths) {\n"
               "  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  unsigned *key = keys + i * " +
               row +
               ";\n"
               "  for (unsigned left = lengths[i]; left > 12; left -= 12) {\n"
               "    *key = left * left;\n"
               "    key += " +
               step +
               ";\n"
               "  }\n"
               "}\n");
    return found.at(0).perWarp;
  };
  EXPECT_EQ(stepsOf("3", "16"), 5);
  EXPECT_EQ(stepsOf("4", "16"), 4);
  // Windows that overlap, and a step through all rows.
  EXPECT_GT(stepsOf("3", "6"), 30);
  EXPECT_GT(stepsOf("4096", "16"), 30);
  // Only the run knows how far apart they are.
  EXPECT_GT(stepsOf("3", "lengths[0]"), 30);
}
