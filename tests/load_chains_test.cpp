// Which loads wait for which.
#include "cost/load_chains.h"
#include "read_text.h"
#include "llvm/ADT/STLExtras.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// The objects whose loads the first load of `object` waits for.
std::vector<std::string> before(const std::string &object,
                                const std::string &body) {
  const SourceModel model =
      readText("__global__ void k(float *out, const float *a, const int *at,\n"
               "                  const int *start, int n) {\n"
               "  float s = 0;\n" +
               body +
               "  out[threadIdx.x] = s;\n"
               "}\n");
  const Kernel &kernel = model.kernels.at(0);
  const auto found = loadsBefore(kernel);
  std::vector<std::string> names;
  const auto load = llvm::find_if(kernel.accesses, [&](const Access &access) {
    return access.operation == Operation::Load && access.object == object;
  });
  if (load == kernel.accesses.end())
    return {"no load"};
  for (unsigned i : found[load - kernel.accesses.begin()])
    names.push_back(kernel.accesses[i].object);
  return names;
}

} // namespace

TEST(LoadChains, AnIndexIsLoadedFirst) {
  EXPECT_THAT(before("a", "  s = a[at[start[threadIdx.x]] * 2];\n"),
              ElementsAre("at"));
  EXPECT_THAT(before("at", "  s = a[at[start[threadIdx.x]] * 2];\n"),
              ElementsAre("start"));
  EXPECT_THAT(before("start", "  s = a[at[start[threadIdx.x]] * 2];\n"),
              IsEmpty());
}

// The loop waits for it once, before it begins.
TEST(LoadChains, AnIndexFromOutsideOfTheLoopIsThere) {
  EXPECT_THAT(before("a", "  int first = at[threadIdx.x];\n"
                          "  for (int i = 0; i < n; ++i)\n"
                          "    s += a[first + i];\n"),
              IsEmpty());
}

TEST(LoadChains, AListHasNoCircle) {
  const SourceModel model =
      readText("struct Node { Node *next; float value; };\n"
               "__global__ void k(float *out, const Node *node) {\n"
               "  float s = 0;\n"
               "  for (; node; node = node->next) s += node->value;\n"
               "  out[threadIdx.x] = s;\n"
               "}\n");
  EXPECT_THAT(loadsBefore(model.kernels.at(0)),
              testing::AllOf(testing::SizeIs(3), testing::Each(IsEmpty())));
}

// A warp executes in order: the second load waits for the first one's data,
// which the store between them needs.
TEST(LoadChains, ALoadStandsBehindAStoreThatMayChangeIt) {
  auto before = [](const std::string &parameters) {
    const SourceModel model =
        readText("__global__ void k(" + parameters +
                 ") {\n"
                 "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                 "  x[i] = a[i] * 2;\n"
                 "  y[i] = b[i] * 2;\n"
                 "}\n");
    const Kernel &kernel = model.kernels.at(0);
    return loadsBefore(kernel).at(2);
  };
  EXPECT_THAT(before("float *x, float *y, const float *a, const float *b"),
              ElementsAre(0));
  EXPECT_THAT(before("float *x, float *y, const float *__restrict__ a, "
                     "const float *__restrict__ b"),
              IsEmpty());
  EXPECT_THAT(before("float *__restrict__ x, float *__restrict__ y, "
                     "const float *a, const float *b"),
              IsEmpty());
}
