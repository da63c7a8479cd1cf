// Variables of 8 and 16 bits that a loop extends in each iteration.
#include "cost/narrow_values.h"
#include "read_text.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

struct Narrow {
  Kernel kernel;
  std::vector<NarrowValue> found;
};

/// Reads a kernel whose loop over `i` has this body.
Narrow narrowIn(const std::string &variable, const std::string &body) {
  SourceModel model = readText(
      "__global__ void k(unsigned char *out, const int *in, int n) {\n  " +
      variable + "\n  for (int i = 0; i < n; ++i) {\n    " + body +
      "\n  }\n  out[threadIdx.x] = v;\n}\n");
  EXPECT_EQ(model.kernels.size(), 1u);
  Narrow narrow;
  if (model.kernels.empty())
    return narrow;
  narrow.kernel = std::move(model.kernels[0]);
  narrow.found = narrowValues(narrow.kernel);
  return narrow;
}

} // namespace

TEST(NarrowValues, AShiftToTheRightNeedsTheUpperBits) {
  const Narrow narrow = narrowIn("short v = n;", "v = (v >> 2) ^ in[i];");
  ASSERT_EQ(narrow.found.size(), 1u);
  const NarrowValue &value = narrow.found[0];
  EXPECT_EQ(narrow.kernel.operations[value.carried].kind, Compute::Join);
  EXPECT_EQ(narrow.kernel.operations[value.carried].type, Number::I16);
  EXPECT_GE(value.extensions, 1u);
  EXPECT_FALSE(value.updates.empty()) << "the conversion back to 16 bits";
}

TEST(NarrowValues, AComparisonNeedsThemToo) {
  EXPECT_EQ(
      narrowIn("unsigned short v = 0;", "if (v < in[i]) v += 3;").found.size(),
      1u);
}

// The low bits of a sum come from low bits alone: nothing is extended.
TEST(NarrowValues, ASumWhoseLowBitsAreKeptCostsNothing) {
  EXPECT_TRUE(narrowIn("unsigned char v = 0;", "v += in[i];").found.empty());
  EXPECT_TRUE(
      narrowIn("unsigned char v = 1;", "v = v * 3 + in[i];").found.empty());
}

TEST(NarrowValues, AValueOf32BitsIsNone) {
  EXPECT_TRUE(
      narrowIn("unsigned v = n;", "v = (v >> 1) ^ in[i];").found.empty());
}

// A signed counter must not wrap, so nvcc widens it; an unsigned one may.
TEST(NarrowValues, AnUnsignedCounterIsOneAndASignedOneIsNot) {
  auto counted = [](const std::string &type) {
    SourceModel model =
        readText("__global__ void k(float *a, " + type + " n) {\n  for (" +
                 type + " i = 0; i < n; ++i)\n    a[i] = 0;\n}\n");
    EXPECT_EQ(model.kernels.size(), 1u);
    return model.kernels.empty() ? 0 : narrowValues(model.kernels[0]).size();
  };
  EXPECT_EQ(counted("unsigned short"), 1u);
  EXPECT_EQ(counted("short"), 0u);
  EXPECT_EQ(counted("int"), 0u);
}

// Outside of a loop the conversion is made once.
TEST(NarrowValues, AVariableThatNoLoopChangesIsNone) {
  EXPECT_TRUE(narrowIn("unsigned char v = in[0];", "if (v < in[i]) out[i] = 1;")
                  .found.empty());
}
