// What the other layout of an array would save all of its kernels.
#include "cost/array_layout.h"
#include "read_text.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

const std::string views = R"(struct LayoutRight {};
template <class T, class Layout> struct View {
  using array_layout = Layout;
  T *data;
  int rows, columns;
  __device__ T &operator()(int i, int j) const { return data[i * columns + j]; }
};
using Matrix = View<float, LayoutRight>;
static __global__ void rows(Matrix a, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int j = 0; j < a.columns; ++j)
    sum += a(i, j);
  out[i] = sum;
}
)";

/// Whether the other layout of Matrix pays in a source with more code.
bool pays(const std::string &more) {
  const SourceModel model = readText(views + more +
                                     "void run(Matrix a, float *out) {\n"
                                     "  rows<<<64, 256>>>(a, out);\n}\n"
                                     "int main() {}\n");
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << "line " << error.line << ": " << error.text;
  std::vector<CostedKernel> kernels;
  for (const Kernel &kernel : model.kernels)
    kernels.push_back(costed(kernel));
  settleLayouts(kernels);
  std::set<Place> better;
  for (const CostedKernel &each : kernels) {
    EXPECT_TRUE(better.empty() || better == each.betterInOtherLayout);
    better = each.betterInOtherLayout;
  }
  return !better.empty();
}

} // namespace

TEST(ArrayLayout, TheOtherLayoutHasToPayInEachKernel) {
  EXPECT_TRUE(pays(""));
  EXPECT_TRUE(pays("static __global__ void one(Matrix a, float *out) {\n"
                   "  out[threadIdx.x] = a(blockIdx.x, 0);\n}\n"))
      << "one element for all lanes";
  EXPECT_FALSE(pays("static __global__ void columns(Matrix a, float *out) {\n"
                    "  int j = blockIdx.x * blockDim.x + threadIdx.x;\n"
                    "  for (int i = 0; i < a.rows; ++i)\n"
                    "    out[i * 4096 + j] = a(i, j);\n}\n"));
}

TEST(ArrayLayout, OnlyTheExtremeIndexesAreContiguousInALayout) {
  ArrayLayout layout;
  layout.indexes.resize(3);
  EXPECT_TRUE(isExtreme(layout, layout.indexes[0]));
  EXPECT_FALSE(isExtreme(layout, layout.indexes[1]));
  EXPECT_TRUE(isExtreme(layout, layout.indexes[2]));
}
