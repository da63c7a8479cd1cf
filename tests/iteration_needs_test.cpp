// Tests what keeps the threads of a block from sharing a loop's iterations.
#include "cost/iteration_needs.h"
#include "read_text.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

std::string factsOf(const std::string &body) {
  SourceModel model = readText(
      "__global__ void k(float *x, float *y, const float *in, int n) {\n"
      "  float sum = 0;\n"
      "  if (threadIdx.x == 0)\n"
      "    for (int i = 1; i < n; ++i)\n      " +
      body + ";\n  y[threadIdx.x] = sum;\n}\n");
  const CostedKernel costs = costed(model.kernels.at(0));
  const ShapeCosts &shape = costs.shapes[0];
  const Needs needs = needsOf(costs, shape, 0);
  return std::string(needs == Needs::Earlier   ? "earlier"
                     : needs == Needs::Perhaps ? "perhaps"
                                               : "nothing") +
         (haveOneResult(costs, shape, 0) ? ", one result" : "");
}

} // namespace

TEST(IterationNeeds, ARunningSumNeedsTheOneBefore) {
  EXPECT_EQ(factsOf("x[i] = x[i - 1] + in[i]"), "earlier");
  EXPECT_EQ(factsOf("x[i] = x[i + 1] + in[i]"), "perhaps");
  EXPECT_EQ(factsOf("x[i] = 2 * x[i]"), "nothing");
}

TEST(IterationNeeds, ASumInMemoryIsOneResult) {
  EXPECT_EQ(factsOf("sum += in[i]"), "nothing, one result");
  EXPECT_EQ(factsOf("x[0] += in[i]"), "nothing, one result");
  EXPECT_EQ(factsOf("if (in[i] < x[0]) x[0] = in[i]"), "nothing, one result");
  EXPECT_EQ(factsOf("x[i] += in[i]"), "nothing");
}

} // namespace warplint
