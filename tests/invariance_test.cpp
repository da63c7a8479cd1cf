// The loops in which a value stays the same.
#include "ir/invariance.h"
#include "read_text.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

/// The fewest loops, from the innermost one outwards, that leave the inputs of
/// the kernel's product of floats as they are.
unsigned loopsThatLeave(const std::string &product) {
  const SourceModel model =
      readText("__global__ void k(float *out, const float *__restrict__ a,\n"
               "                  float f, int n) {\n"
               "  float sum = 0;\n"
               "  for (int i = 0; i < n; ++i) {\n"
               "    float x = a[i];\n"
               "    for (int j = 0; j < n; ++j)\n"
               "      sum += " +
               product +
               ";\n"
               "  }\n"
               "  out[threadIdx.x] = sum;\n"
               "}\n");
  const Kernel &kernel = model.kernels.at(0);
  unsigned fewest = ~0u;
  for (const Computation &operation : kernel.operations)
    if (operation.kind == Compute::Multiply && isFloat(operation.type))
      for (const Input &input : kernel.inputsOf(operation))
        if (input.source != Input::Source::Constant)
          fewest = std::min<unsigned>(fewest, input.invariantLoops);
  return fewest;
}

} // namespace

TEST(Invariance, TellsTheLoopsThatLeaveAValue) {
  EXPECT_EQ(loopsThatLeave("f * 3.0f"), 2u);
  EXPECT_EQ(loopsThatLeave("x * f"), 1u);
  EXPECT_EQ(loopsThatLeave("a[j] * f"), 0u);
}

// Without it, a second use of a divisor that a structure passes would hide that
// every iteration divides by it.
TEST(Invariance, ALoadThatTakesTheValueOfOneBeforeTheLoopStaysTheSame) {
  const SourceModel model = readText(R"(
struct Box { float side; };
__global__ void wrapped(float *out, const float *in, Box box, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += in[i] - box.side * rintf(in[i] / box.side);
  out[threadIdx.x] = sum;
})");
  for (const Computation &operation : model.kernels.at(0).operations)
    if (operation.kind == Compute::Divide)
      EXPECT_EQ(model.kernels[0].inputsOf(operation)[1].invariantLoops, 1u);
}

} // namespace warplint
