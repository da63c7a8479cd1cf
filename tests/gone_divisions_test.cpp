// What the compiled code does not divide by costs nothing: a division that it
// is found not to have hid the conflict that takes the time.
#include "findings/gone_divisions.h"
#include "cost/kernel_time.h"
#include "read_text.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::IsEmpty;
using testing::SizeIs;

namespace {

/// A loop with a remainder in it, or with a mask in its place.
SourceModel loopWith(const std::string &index) {
  return readText("__global__ void k(const unsigned *a, unsigned *out,\n"
                  "                  unsigned p) {\n"
                  "  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                  "  unsigned s = 0;\n"
                  "  for (unsigned k = 0; k < 64; ++k)\n"
                  "    s += a[" +
                  index +
                  "];\n"
                  "  out[i] = s;\n"
                  "}\n"
                  "void run(unsigned *a) { k<<<4096, 256>>>(a, a, 64); }\n");
}

double instructionsOf(const Kernel &kernel) {
  const CostedKernel costs = costed(kernel);
  const KernelTime &time = timeOf(costs, costs.shapes[0]);
  return time.total().instructions;
}

} // namespace

TEST(GoneDivisions, AreThoseOfWhichTheCompilerLeftNone) {
  const SourceModel divides = loopWith("(i + k) % p"),
                    masks = loopWith("(i + k) & (p - 1)");
  const CostedKernel source = costed(divides.kernels.at(0)),
                     masked = costed(masks.kernels.at(0)),
                     same = costed(divides.kernels.at(0));
  const CompiledKernel machine;
  EXPECT_THAT(goneDivisions({source, machine, &masked}), SizeIs(1));
  EXPECT_THAT(goneDivisions({source, machine, &same}), IsEmpty());
  EXPECT_THAT(goneDivisions({source, machine, nullptr}), IsEmpty());
  const SourceModel byConstant = loopWith("(i + k) % 7");
  EXPECT_THAT(goneDivisions({costed(byConstant.kernels.at(0)), machine, &masked}),
              IsEmpty())
      << "a product in the PTX, and priced as one";
}

TEST(GoneDivisions, CostWhatAMaskDoes) {
  const SourceModel divides = loopWith("(i + k) % p"),
                    masks = loopWith("(i + k) & (p - 1)");
  Kernel replaced = divides.kernels.at(0);
  const CostedKernel source = costed(divides.kernels.at(0)),
                     masked = costed(masks.kernels.at(0));
  for (unsigned i : goneDivisions({source, CompiledKernel(), &masked}))
    replaceDivision(replaced, i);
  EXPECT_GT(instructionsOf(divides.kernels.at(0)),
            2.5 * instructionsOf(masks.kernels.at(0)));
  EXPECT_NEAR(instructionsOf(replaced), instructionsOf(masks.kernels.at(0)),
              0.1 * instructionsOf(replaced));
}
