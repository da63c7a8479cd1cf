// Loops of which some lanes have more iterations than others.
#include "frequency_of.h"

using namespace warplint;

using SlowestLanes = FrequencyOf;

// As often as the first lane of a low block goes round, 10, 0 and 512 times, it
// was 10 to 180 times too cheap, and what it held was hidden.
TEST_F(SlowestLanes, AWarpGoesRoundAsOftenAsItsSlowestLane) {
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
