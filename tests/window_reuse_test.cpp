// What the loops of a window share with other threads, of kernels as users
// write them.
#include "cost/kernel_time.h"
#include "cost/window_reuse.h"
#include "read_text.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

/// What a warp's loads of 'in' move.
Demand loads(const std::string &body, const std::string &launch) {
  const SourceModel model =
      readText("__global__ void k(const float *in, float *out, int n) {\n"
               "  int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
               "  int z = blockIdx.z;\n"
               "  float s = 0;\n" +
               body +
               "  out[(z * n + y) * n + x] = s;\n"
               "}\nvoid run(float *a) { k<<<" +
               launch + ">>>(a, a, 256); }\n");
  const Kernel &kernel = model.kernels.at(0);
  const CostedKernel costs = costed(kernel);
  const KernelTime &time = timeOf(costs, costs.shapes[0]);
  Demand all;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i)
    if (kernel.accesses[i].object == "in")
      all += time.of(i);
  return all;
}

const std::string grid = "dim3(8, 32, 256), dim3(32, 8)";

} // namespace

// 27 neighbours in loops: an H200 moves 24 sectors, and DRAM gives each plane
// once. With all rows of all planes from DRAM they took twice as long.
TEST(WindowReuse, RowsAndPlanesAreLoadedOnce) {
  const Demand window =
      loads("  for (int k = -1; k <= 1; ++k)\n"
            "    for (int j = -1; j <= 1; ++j)\n"
            "      for (int i = -1; i <= 1; ++i)\n"
            "        s += in[((z + k) * n + y + j) * n + x + i];\n",
            grid);
  const Demand one = loads("  s = in[(z * n + y) * n + x];\n", grid);
  EXPECT_NEAR(window.sectors, 24, 7);
  EXPECT_LT(window.dramSectors, 2 * one.dramSectors);
}

// Rows that no other thread has in its first iteration are each loaded.
TEST(WindowReuse, RowsOfOneThreadAreItsOwn) {
  const Demand rows = loads("  for (int j = 0; j < 4; ++j)\n"
                            "    s += in[(z * n + 4 * y + j) * n + x];\n",
                            grid);
  EXPECT_NEAR(rows.sectors, 16, 0.1);
  EXPECT_NEAR(rows.dramSectors, 16, 0.1);
}

// A matrix product's rows are no window.
TEST(WindowReuse, LongLoopsAreNoWindows) {
  const Demand rows = loads("  for (int j = 0; j < 64; ++j)\n"
                            "    s += in[(y + j) * n + x];\n",
                            "dim3(8, 32, 1), dim3(32, 8)");
  EXPECT_NEAR(rows.sectors, 256, 1);
}

} // namespace warplint
