// Single instructions as the GPU computes them. A fix is called proven by what
// these give, so that a wrong one lets a wrong fix through.
#include "fixes/arithmetic.h"
#include "ir_text.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <limits>

using namespace warplint;

namespace {

uint64_t bits(float value) { return llvm::bit_cast<uint32_t>(value); }
uint64_t bits(double value) { return llvm::bit_cast<uint64_t>(value); }

struct ArithmeticOf : testing::Test {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;

  /// The first instruction of a function with this head and this body.
  Step stepOf(const std::string &arguments, const std::string &instruction,
              const std::string &declared = "") {
    module = parseIr(declared + "\ndefine void @f(" + arguments + ") {\n  " +
                         instruction + "\n  ret void\n}\n",
                     context);
    Step step;
    step.instruction = &module->getFunction("f")->getEntryBlock().front();
    step.bits = elementBits(*step.instruction->getType());
    return step;
  }
  uint64_t binary(const std::string &name, const std::string &type, uint64_t a,
                  uint64_t b) {
    const Step step = stepOf(type + " %a, " + type + " %b",
                             "%r = " + name + " " + type + " %a, %b");
    const auto result = computed(step, {Lanes{a}, Lanes{b}});
    EXPECT_TRUE(result) << name;
    return result ? (*result)[0] : 0;
  }
  uint64_t cast(const std::string &name, const std::string &from,
                const std::string &to, uint64_t value) {
    const Step step =
        stepOf(from + " %a", "%r = " + name + " " + from + " %a to " + to);
    const auto result = computed(step, {Lanes{value}});
    EXPECT_TRUE(result) << name;
    return result ? (*result)[0] : 0;
  }
};

} // namespace

TEST_F(ArithmeticOf, NumbersWrapAtTheirWidth) {
  EXPECT_EQ(binary("add", "i32", 0xffffffff, 1), 0u);
  EXPECT_EQ(binary("add", "i8", 200, 100), 44u);
  EXPECT_EQ(binary("sub", "i16", 0, 1), 0xffffu);
  EXPECT_EQ(binary("mul", "i64", ~0ull, 2), ~0ull - 1);
}

// C++ leaves these open, and the interpreter's own process must not trap.
TEST_F(ArithmeticOf, AQuotientByZeroHasAllBitsSet) {
  EXPECT_EQ(binary("udiv", "i32", 7, 0), 0xffffffffu);
  EXPECT_EQ(binary("sdiv", "i32", 7, 0), 0xffffffffu);
  EXPECT_EQ(binary("urem", "i32", 7, 0), 7u);
  EXPECT_EQ(binary("sdiv", "i64", uint64_t(1) << 63, ~0ull), uint64_t(1) << 63);
  EXPECT_EQ(binary("srem", "i64", uint64_t(1) << 63, ~0ull), 0u);
  EXPECT_EQ(binary("sdiv", "i8", 0xf9, 2), 0xfdu) << "-7 / 2 is -3";
}

TEST_F(ArithmeticOf, ShiftsPastTheWidthShiftAllOut) {
  EXPECT_EQ(binary("shl", "i32", 1, 31), 0x80000000u);
  EXPECT_EQ(binary("shl", "i32", 1, 32), 0u);
  EXPECT_EQ(binary("lshr", "i32", 0x80000000, 40), 0u);
  EXPECT_EQ(binary("ashr", "i32", 0x80000000, 40), 0xffffffffu);
}

// A difference in the last place is what a fix of class 'rounding' is about.
TEST_F(ArithmeticOf, RealsRoundInTheirOwnType) {
  EXPECT_EQ(binary("fadd", "float", bits(16777216.0f), bits(1.0f)),
            bits(16777216.0f));
  EXPECT_EQ(binary("fadd", "double", bits(16777216.0), bits(1.0)),
            bits(16777217.0));
  EXPECT_EQ(binary("fdiv", "float", bits(1.0f), bits(3.0f)), bits(1.0f / 3.0f));
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(binary("fsub", "float", bits(infinity), bits(infinity)),
            binary("fmul", "float", bits(infinity), bits(0.0f)))
      << "all values that are not numbers are one";
}

TEST_F(ArithmeticOf, ComparisonsKnowSignsAndWhatIsNotANumber) {
  EXPECT_EQ(binary("icmp slt", "i8", 0xff, 1), 1u);
  EXPECT_EQ(binary("icmp ult", "i8", 0xff, 1), 0u);
  const uint64_t nan = bits(std::nanf(""));
  EXPECT_EQ(binary("fcmp olt", "float", nan, bits(1.0f)), 0u);
  EXPECT_EQ(binary("fcmp ult", "float", nan, bits(1.0f)), 1u);
  EXPECT_EQ(binary("fcmp oeq", "float", bits(0.0f), bits(-0.0f)), 1u);
  EXPECT_EQ(binary("fcmp une", "float", nan, nan), 1u);
}

// cvt of the GPU saturates; a cast of the host would be undefined.
TEST_F(ArithmeticOf, ConversionsSaturate) {
  EXPECT_EQ(cast("fptosi", "float", "i32", bits(-1.9f)), 0xffffffffu);
  EXPECT_EQ(cast("fptosi", "float", "i32", bits(1e20f)), 0x7fffffffu);
  EXPECT_EQ(cast("fptosi", "double", "i32", bits(-1e20)), 0x80000000u);
  EXPECT_EQ(cast("fptoui", "float", "i32", bits(-5.0f)), 0u);
  EXPECT_EQ(cast("fptoui", "double", "i64", bits(1e30)), ~0ull);
  EXPECT_EQ(cast("fptosi", "float", "i32", bits(std::nanf(""))), 0u);
  EXPECT_EQ(cast("sitofp", "i32", "float", 0xffffffff), bits(-1.0f));
  EXPECT_EQ(cast("uitofp", "i32", "double", 0xffffffff), bits(4294967295.0));
  EXPECT_EQ(cast("sext", "i8", "i32", 0x80), 0xffffff80u);
  EXPECT_EQ(cast("trunc", "i64", "i16", 0x12345678), 0x5678u);
  EXPECT_EQ(cast("fptrunc", "double", "float", bits(0.1)), bits(0.1f));
}

TEST_F(ArithmeticOf, ABitcastGoesThroughTheBytesInMemory) {
  const Step step =
      stepOf("<4 x i8> %a", "%r = bitcast <4 x i8> %a to <2 x i16>");
  const auto result = computed(step, {Lanes{0x11, 0x22, 0x33, 0x44}});
  ASSERT_TRUE(result);
  EXPECT_EQ((*result)[0], 0x2211u);
  EXPECT_EQ((*result)[1], 0x4433u);
}

TEST_F(ArithmeticOf, CallsAreExactWhereCppHasTheFunction) {
  const Step fma = stepOf("float %a",
                          "%r = call float @llvm.fma.f32(float %a, float %a, "
                          "float %a)",
                          "declare float @llvm.fma.f32(float, float, float)");
  const float x = 1.0f + std::ldexp(1.0f, -12);
  EXPECT_EQ(
      called(fma, {Lanes{bits(x)}, Lanes{bits(x)}, Lanes{bits(-1.0f)}})[0],
      bits(std::fma(x, x, -1.0f)));
  EXPECT_NE(bits(std::fma(x, x, -1.0f)), bits(x * x - 1.0f))
      << "rounded twice it would be another number";
  const Step funnel =
      stepOf("i32 %a", "%r = call i32 @llvm.fshl.i32(i32 %a, i32 %a, i32 %a)",
             "declare i32 @llvm.fshl.i32(i32, i32, i32)");
  EXPECT_EQ(
      called(funnel, {Lanes{0x12345678}, Lanes{0x9abcdef0}, Lanes{36}})[0],
      0x23456789u);
}

// An unknown function is the same function in both versions, and it depends on
// each operand.
TEST_F(ArithmeticOf, AnUnknownFunctionIsAFunctionOfItsOperands) {
  const Step step = stepOf("float %a", "%r = call float @f.approx(float %a)",
                           "declare float @f.approx(float)");
  const uint64_t one = called(step, {Lanes{bits(1.0f)}})[0];
  EXPECT_EQ(called(step, {Lanes{bits(1.0f)}})[0], one);
  EXPECT_NE(called(step, {Lanes{bits(2.0f)}})[0], one);
  const float value = std::fabs(llvm::bit_cast<float>(uint32_t(one)));
  EXPECT_GE(value, 0.5f);
  EXPECT_LT(value, 2.0f);
}

TEST_F(ArithmeticOf, AnInstructionThatTouchesMemoryIsNone) {
  const Step load = stepOf("ptr %a", "%r = load i32, ptr %a");
  EXPECT_FALSE(computed(load, {Lanes{0}}));
}
