// Which powers get an edit, and of which type what replaces them is.
#include "findings/power_edit.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

/// A power of what an access loads, or of what a conversion makes of it.
struct PowerEditOf : testing::Test {
  Kernel kernel;
  Number type = Number::F32;
  std::string text = "powf(x, 2.0f)", exponentText = "2.0f";
  bool isConverted = false, isCast = false;

  std::string form(double exponent) {
    kernel = {};
    Computation power;
    power.kind = Compute::Power;
    power.type = type;
    power.inputCount = 2;
    Input base;
    base.source = Input::Source::Access;
    if (isConverted) {
      Computation convert;
      convert.kind = Compute::Convert;
      convert.type = type;
      convert.at = 1;
      kernel.operations.push_back(convert);
      base.source = Input::Source::Computation;
    }
    kernel.inputs = {
        base, Input{.source = Input::Source::Constant, .constant = exponent}};
    kernel.written.resize(2);
    kernel.written[0].text = text;
    kernel.written[0].operands = {"x", exponentText};
    kernel.written[1].isCast = isCast;
    kernel.operations.push_back(power);
    const std::optional<Fix> fix =
        powerEdit(kernel, kernel.operations.back(), exponent);
    if (fix) {
      EXPECT_EQ(fix->kind, FixClass::Rounding);
    }
    return fix ? fix->name : "none";
  }
};

TEST_F(PowerEditOf, SmallExponentsAreProductsRootsAndReciprocals) {
  EXPECT_EQ(form(2), "@ * @");
  EXPECT_EQ(form(3), "@ * @ * @");
  EXPECT_EQ(form(4), "@ * @ * @ * @");
  EXPECT_EQ(form(0.5), "sqrtf(@)");
  EXPECT_EQ(form(-0.5), "rsqrtf(@)");
  EXPECT_EQ(form(-1), "1.0f / @");
  EXPECT_EQ(form(-2), "1.0f / (@ * @)");
  EXPECT_EQ(form(5), "none");
  EXPECT_EQ(form(1.5), "none");
  type = Number::F64;
  EXPECT_EQ(form(-1), "1.0 / @");
  EXPECT_EQ(form(0.5), "sqrt(@)");
}

// pow(1e30f, 2) is a number in double.
TEST_F(PowerEditOf, AFloatThatThePowerMakesADoubleIsMadeOneByTheEdit) {
  type = Number::F64;
  isConverted = true;
  EXPECT_EQ(form(2), "double(@) * @");
  EXPECT_EQ(form(0.5), "sqrt(double(@))");
  isCast = true;
  EXPECT_EQ(form(2), "@ * @");
}

// Clang's headers have a power of a float and an int; nvcc takes the double's.
TEST_F(PowerEditOf, AFloatToAWholeNumberIsADoubleToNvcc) {
  text = "std::pow(x, 2)";
  exponentText = "2";
  EXPECT_EQ(form(2), "double(@) * @");
  text = "powf(x, 2)";
  EXPECT_EQ(form(2), "@ * @");
  text = "pow(x, 2.0f)";
  exponentText = "2.0f";
  EXPECT_EQ(form(2), "@ * @");
}

TEST_F(PowerEditOf, APowerOfHalvesStays) {
  type = Number::F16;
  EXPECT_EQ(form(2), "none");
}

} // namespace
