// Tests what DRAM serves of several loads of one array, of kernels as users
// write them.
#include "cost/kernel_time.h"
#include "cost/loaded_again.h"
#include "read_text.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

struct LoadedAgain : testing::Test {
  /// The number of loads of 'in' for which DRAM is asked.
  unsigned served(const std::string &body, const std::string &launch) {
    const SourceModel model = readText(
        "__global__ void k(const float *in, float *out, int n) {\n" + body +
        "}\nvoid run(float *a, int n) { k<<<" + launch + ">>>(a, a, n); }\n");
    const Kernel &kernel = model.kernels.at(0);
    const CostedKernel costs = costed(kernel);
    const KernelTime &time = timeOf(costs, costs.shapes[0]);
    unsigned count = 0;
    for (unsigned i = 0; i < kernel.accesses.size(); ++i)
      if (kernel.accesses[i].object == "in" && time.of(i).dramSectors > 0)
        ++count;
    return count;
  }
  const std::string at = "  int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
                         "  int y = blockIdx.y * blockDim.y + threadIdx.y;\n";
};

} // namespace

// Red and black cells of 8192 x 8192 (kernels/divergent-branch): priced as if
// DRAM gave each row three times, their divergence seemed to cost 1.5 % where
// curing it gained 1.54x.
TEST_F(LoadedAgain, TheRowsOfAStencilAreServedOnce) {
  const std::string cross =
      at + "  out[y * n + x] = in[y * n + x] + in[(y - 1) * n + x] +\n"
           "                   in[(y + 1) * n + x];\n";
  for (const char *block : {"dim3(64, 4)", "dim3(32, 8)", "dim3(16, 16)",
                            "dim3(8, 8)", "dim3(256, 1)"})
    EXPECT_EQ(served(cross, std::string("dim3(128, 128), ") + block), 1u)
        << block;
}

TEST_F(LoadedAgain, PlanesAreThoseOfOtherIterations) {
  EXPECT_EQ(served(at + "  for (int z = 1; z < n - 1; ++z)\n"
                        "    out[(z * n + y) * n + x] = in[(z * n + y) * n + x]"
                        " + in[((z - 1) * n + y) * n + x]"
                        " + in[((z + 1) * n + y) * n + x];\n",
                   "dim3(128, 128), dim3(32, 8)"),
            1u);
}

// Fields of one array that lie one behind the other: no thread loads another's.
TEST_F(LoadedAgain, FieldsOfOneArrayAreMemoryOfTheirOwn) {
  EXPECT_EQ(served("  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                   "  out[i] = in[i] + in[i + n] + in[i + 2 * n];\n",
                   "4096, 256"),
            3u);
}

TEST_F(LoadedAgain, LanesThatMoveApartAreNoRow) {
  EXPECT_EQ(served(at + "  out[y * n + x] = in[y * n + x] + in[x * n + y];\n",
                   "dim3(128, 128), dim3(32, 8)"),
            2u);
}

// One of them may be executed where the other is not.
TEST_F(LoadedAgain, AnotherConditionIsNoOtherLoad) {
  EXPECT_EQ(served(at + "  float v = in[y * n + x];\n"
                        "  if (v > 0) v += in[(y - 1) * n + x];\n"
                        "  out[y * n + x] = v;\n",
                   "dim3(128, 128), dim3(32, 8)"),
            2u);
}

// A sum of nine neighbours in 16 MB took an H200 15.9 us, a copy 15.5.
TEST_F(LoadedAgain, L1HasWhatNeighboursLoad) {
  auto sectors = [&](const std::string &sum) {
    const SourceModel model = readText(
        "__global__ void k(const float *in, float *out, int n) {\n" + at +
        "  int i = (y + 1) * n + x + 1;\n  out[i] = " + sum +
        ";\n}\nint main() {\n"
        "  k<<<dim3(64, 256), dim3(32, 8)>>>(0, 0, 2050);\n}\n");
    const CostedKernel costs = costed(model.kernels.at(0));
    return timeOf(costs, costs.shapes[0]).total().sectors;
  };
  const double copy = sectors("in[i]");
  EXPECT_LT(sectors("in[i - 1] + in[i] + in[i + 1]"), 1.1 * copy);
  EXPECT_LT(sectors("in[i - n] + in[i] + in[i + n]"), 1.25 * copy);
  EXPECT_LT(sectors("in[i - n - 1] + in[i - n] + in[i - n + 1] + in[i - 1] + "
                    "in[i] + in[i + 1] + in[i + n - 1] + in[i + n] + "
                    "in[i + n + 1]"),
            1.3 * copy);
  EXPECT_GT(sectors("in[i] + in[i + 8192 * n]"), 1.4 * copy)
      << "another array's part is no neighbour";
}

// Twelve words of each thread: an H200 took 205 us, as long as from 12 arrays.
TEST_F(LoadedAgain, L1LooksUpTheLinesOfAStructureOnce) {
  const SourceModel model = readText(
      "struct S { float a, b, c, d, e, f, g, h, i, j, k, l; };\n"
      "__global__ void k(const S *in, float *out) {\n"
      "  int n = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  S s = in[n];\n"
      "  out[n] = s.a + s.b + s.c + s.d + s.e + s.f + s.g + s.h + s.i + s.j +\n"
      "           s.k + s.l;\n"
      "}\n"
      "int main() { k<<<65536, 256>>>(0, 0); }\n");
  const CostedKernel costs = costed(model.kernels.at(0));
  const KernelTime &time = timeOf(costs, costs.shapes[0]);
  EXPECT_EQ(time.bound(), Bound::Dram);
  EXPECT_NEAR(*time.microseconds(), 205, 20);
}
