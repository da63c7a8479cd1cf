// What is left of uniform loads in shared memory, of kernels as users write
// them.
#include "cost/tile_reads.h"
#include "read_text.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

/// The parts of the loads in loops of the first kernel.
std::vector<double> parts(const std::string &body) {
  const SourceModel model = readText(
      "struct Body { float x, y, z, m; };\n"
      "struct Far { float x, rest[15]; };\n"
      "__global__ void k(const float *a, const Body *b, const Far *f,\n"
      "                  float *out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  float sum = 0;\n" +
      body +
      "  out[i] = sum;\n"
      "}\n"
      "void run(float *a, Body *b, Far *f, int n) {\n"
      "  k<<<64, 128>>>(a, b, f, a, n);\n"
      "}\n");
  if (model.kernels.empty()) {
    ADD_FAILURE() << "no kernel";
    return {};
  }
  const Kernel &kernel = model.kernels[0];
  const CostedKernel costs = costed(kernel);
  std::vector<unsigned> loads;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i)
    if (!kernel.accesses[i].loops.empty())
      loads.push_back(i);
  return partsFromTile(costs, costs.shapes[0], loads);
}

using Parts = std::vector<double>;

} // namespace

TEST(TileReads, FourFloatsSideBySideAreOneRequest) {
  EXPECT_EQ(parts("for (int j = 0; j < n; ++j) sum += a[j];\n"), Parts{0.25});
}

TEST(TileReads, MembersOfAStructureAreOneRequest) {
  EXPECT_EQ(parts("for (int j = 0; j < n; ++j) sum += b[j].x * b[j].y;\n"),
            (Parts{0.5, 0.5}));
}

TEST(TileReads, ElementsFarApartStayOneRequestEach) {
  EXPECT_EQ(parts("for (int j = 0; j < n; ++j) sum += f[j].x;\n"), Parts{1});
}

TEST(TileReads, ElementsThatDifferBetweenLanesAreNoneOfThem) {
  EXPECT_EQ(parts("for (int j = 0; j < n; ++j) sum += a[j * 128 + i];\n"),
            Parts{1});
}
