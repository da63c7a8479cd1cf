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
struct Params : Base {
  float *out;
  int2 size;
  int scale[4];
  struct Inner { int inner; } nested;
};
__device__ void forward(const Params p) {
  float *row = p.out + threadIdx.x * p.size.y;
  row[p.first * threadIdx.x] = 1;
  row[p.scale[2] * threadIdx.x] = 1;
  row[p.nested.inner * threadIdx.x] = 1;
}
__global__ void k(const Params q) { forward(q); }
)");
  for (const char *name :
       {"q.size.y", "q.first", "q.scale[2]", "q.nested.inner"})
    EXPECT_THAT(names, Contains(name));
  EXPECT_THAT(names, Not(Contains("q")));
}

// A kernel that changes its parameter has a copy, which is read at its
// beginning: "(a size of threadIdx.x(...))".
TEST(ParameterMembers, AreNamedInACopyThatChanges) {
  const std::set<std::string> names = sizes(R"(
struct View {
  __device__ float &operator()(int i) const { return data[i * long(stride)]; }
  __device__ void advance(int n) { data += n; }
  __device__ void step(int n) { advance(n); }
  float *data;
  int stride;
};
__global__ void k(int n, View out) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  out.step(i);
  out(i) = 1;
}
)");
  EXPECT_THAT(names, Contains("out.stride"));
  for (const std::string &name : names)
    EXPECT_THAT(name, Not(testing::HasSubstr("threadIdx"))) << name;
}

// A lambda's members are the captured variables' names already.
TEST(ParameterMembers, OfALambdaAreTheVariables) {
  const std::set<std::string> names = sizes(R"(
template <class F> __global__ void k(F f) { f(threadIdx.x); }
void run(float *p, int pitch) {
  k<<<1, 32>>>([=] __device__(int i) { p[i * pitch] = 1; });
}
)");
  EXPECT_THAT(names, Contains("pitch"));
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
