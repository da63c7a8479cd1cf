// Tests what a report calls the size that a kernel's structure holds:
// "confirmed if 'p' is above 1" says nothing of a structure.
#include "read_text.h"
#include <gmock/gmock.h>

namespace warplint {
namespace {

/// The names of the values that the graph of the kernel does not know.
std::set<std::string> sizes(const std::string &text) {
  const SourceModel model = readText(text);
  EXPECT_EQ(model.kernels.size(), 1u);
  std::set<std::string> names;
  for (const Kernel &kernel : model.kernels)
    for (ValueId id = 0; id < kernel.graph.size(); ++id)
      if (const Node &node = kernel.graph.node(id); node.op == Op::Parameter ||
                                                    node.op == Op::Uniform ||
                                                    node.op == Op::Loaded)
        names.insert(kernel.graph.text(id));
  return names;
}

using testing::Contains;
using testing::Not;

// Passed on by value, its members are read where the whole is named.
TEST(ParameterMembers, AreNamedWhereTheStructureIsCopied) {
  const std::set<std::string> names = sizes(R"(
struct Base { int first; };
struct Size { int x, y; };
struct Params : Base {
  float *out;
  Size size;
  int scale[4];
  struct { int inner; };
};
__device__ void forward(const Params p) {
  float *row = p.out + threadIdx.x * p.size.y;
  row[p.first * threadIdx.x] = 1;
  row[p.scale[2] * threadIdx.x] = 1;
  row[p.inner * threadIdx.x] = 1;
}
__global__ void k(const Params q) { forward(q); }
)");
  for (const char *name : {"q.size.y", "q.first", "q.scale[2]", "q.inner"})
    EXPECT_THAT(names, Contains(name));
  EXPECT_THAT(names, Not(Contains("q")));
}

// Which of the two is meant, only the source says.
TEST(ParameterMembers, OfAUnionHaveNoName) {
  const std::set<std::string> names = sizes(R"(
union Either { int rows; float weight; };
__device__ void forward(float *out, const Either e) {
  out[e.rows * threadIdx.x] = 1;
}
__global__ void k(float *out, const Either e) { forward(out, e); }
)");
  EXPECT_THAT(names, Not(Contains("e.weight")));
}

} // namespace
} // namespace warplint
