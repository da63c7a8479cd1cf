// What a loop costs because its bound is not known.
#include "cost/unrolling.h"
#include "read_text.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

struct Unrolling : testing::Test {
  SourceModel model;
  std::optional<CostedKernel> kernel;

  /// The share of a state update over `n` elements in a loop of `steps`, which
  /// loads `rate` again for each element.
  double share(const std::string &parameters, const std::string &rate,
               double elements = 8) {
    model = readText("__global__ void k(float *out, const float *in, " +
                     parameters +
                     ",\n"
                     "                  int n, int steps) {\n"
                     "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                     "  float state = 0;\n"
                     "  for (int t = 0; t < steps; ++t)\n"
                     "    for (int e = 0; e < n; ++e)\n"
                     "      state = state * " +
                     rate +
                     ";\n"
                     "  out[i] = state;\n"
                     "}\n");
    kernel.emplace(costed(model.kernels.at(0)));
    const KernelTime &time = timeOf(*kernel, kernel->shapes[0]);
    for (LoopId loop = 0; loop < kernel->kernel.loops.size(); ++loop)
      if (kernel->kernel.loops[loop].parent)
        return time.share(
            savedByUnrolling(kernel->kernel, time, loop, elements));
    ADD_FAILURE() << "no inner loop";
    return 0;
  }
};

} // namespace

// A selective scan with a template for its eight states: 1.48x on an H200, of
// which the array alone gives a third.
TEST_F(Unrolling, WhatTheOuterLoopLoadsAgainStaysInRegisters) {
  const double kept =
      share("const float *__restrict__ rate", "rate[i * n + e]");
  const double another =
      share("const float *__restrict__ rate", "rate[(t * n + e) * 256 + i]");
  EXPECT_GT(kept, 0.5);
  EXPECT_LT(another, 0.3);
}

TEST_F(Unrolling, RegistersHoldFewElements) {
  EXPECT_LT(share("const float *__restrict__ rate", "rate[i * n + e]", 1000),
            0.3);
}

// The compiler loads again what a store may have changed.
TEST_F(Unrolling, WhatMayBeWrittenIsLoadedAgain) {
  EXPECT_LT(share("float *rate", "(rate[i * n + e] += 1)"), 0.3);
}
