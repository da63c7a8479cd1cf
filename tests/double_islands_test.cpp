// Double arithmetic that a kernel of floats does by accident.
#include "cost/double_islands.h"
#include "read_text.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

struct Islands {
  Kernel kernel;
  std::vector<DoubleIsland> found;

  const Computation &operation(size_t island, size_t i) const {
    return kernel.operations[found[island].operations[i]];
  }
};

Islands islandsOf(llvm::StringRef source) {
  SourceModel model = readText(source);
  EXPECT_EQ(model.kernels.size(), 1u);
  Islands islands;
  if (model.kernels.empty())
    return islands;
  islands.kernel = std::move(model.kernels[0]);
  islands.found = accidentalDoubles(islands.kernel);
  return islands;
}

/// The islands of a kernel with this body.
Islands islandsIn(const std::string &body) {
  return islandsOf("__global__ void k(float *a, double *d, double s, int n) {\n"
                   "  int i = threadIdx.x;\n" +
                   body + "\n}\n");
}

} // namespace

// '0.999' without an 'f' is the case that the check is for.
TEST(AccidentalDoubles, ALiteralWithoutASuffixMakesAnIsland) {
  const Islands islands = islandsIn("a[i] = a[i] * 0.999;");
  ASSERT_EQ(islands.found.size(), 1u);
  ASSERT_EQ(islands.found[0].operations.size(), 1u);
  EXPECT_EQ(islands.operation(0, 0).kind, Compute::Multiply);
  EXPECT_EQ(islands.operation(0, 0).type, Number::F64);
  EXPECT_EQ(islands.found[0].conversions.size(), 2u) << "there and back";
}

// nvcc computes these in float by itself, so that a report would be false.
TEST(AccidentalDoubles, WhatTheCompilerNarrowsMakesNone) {
  EXPECT_TRUE(islandsIn("a[i] = a[i] * 2.0;").found.empty());
  EXPECT_TRUE(islandsIn("if (a[i] > 0.5) a[i] = 1;").found.empty());
  EXPECT_TRUE(islandsIn("a[i] = sqrt((float)a[i]);").found.empty());
}

// Two operations round twice in double, so nvcc keeps them, whatever their
// constants are.
TEST(AccidentalDoubles, TwoOperationsAreKeptThoughFloatsHoldTheirConstants) {
  const Islands islands = islandsIn("a[i] = a[i] * 2.5 + 1.0;");
  ASSERT_EQ(islands.found.size(), 1u);
  EXPECT_EQ(islands.found[0].operations.size(), 2u);
}

TEST(AccidentalDoubles, WhatTheSourceAsksForIsOnPurpose) {
  EXPECT_TRUE(islandsIn("a[i] = (double)a[i] * 0.999;").found.empty())
      << "a cast";
  EXPECT_TRUE(islandsIn("a[i] = d[i] * 0.999;").found.empty()) << "a load";
  EXPECT_TRUE(islandsIn("d[i] = a[i] * 0.999;").found.empty()) << "a store";
  EXPECT_TRUE(islandsIn("double sum = 0;\n"
                        "for (int j = 0; j < n; ++j) sum += a[j];\n"
                        "a[i] = sum;")
                  .found.empty())
      << "a sum that keeps its bits";
}

// The element that a double argument scales is as much a float as before.
TEST(AccidentalDoubles, AnArgumentOfTypeDoubleIsNoReason) {
  EXPECT_EQ(islandsIn("a[i] = a[i] * s;").found.size(), 1u);
}

// A user would not learn of 'i * 0.1' without a float at its beginning.
TEST(AccidentalDoubles, AnIntegerThatBecomesAFloatThroughDoubleMakesOne) {
  EXPECT_EQ(islandsIn("a[i] = i * 0.1;").found.size(), 1u);
  EXPECT_TRUE(islandsIn("int j = i * 0.1; a[j] = 1;").found.empty())
      << "no float at either end";
}

// One store of a double does not excuse the rest of the kernel.
TEST(AccidentalDoubles, IslandsStandForThemselvesInTheOrderOfTheCode) {
  const Islands islands = islandsIn("a[i] = a[i] * 0.999;\n"
                                    "d[i] = d[i] * 0.25;\n"
                                    "a[i + n] = a[i + n] + 0.1;");
  ASSERT_EQ(islands.found.size(), 2u);
  EXPECT_EQ(islands.operation(0, 0).kind, Compute::Multiply);
  EXPECT_EQ(islands.operation(1, 0).kind, Compute::Add);
}
