// Computations of one float that are the same for all 2^32 of them, or not.
#include "fixes/all_floats.h"
#include "ir_text.h"
#include "ptx/read_ptx.h"
#include "llvm/IR/InstIterator.h"

using namespace warplint;

namespace {

/// The value named 'r' of a function of the float 'x', and of 'y'.
struct Computed {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  std::optional<OneFloat> what;

  explicit Computed(const std::string &body, const std::string &type) {
    module = parseIr("declare float @llvm.maxnum.f32(float, float)\n"
                     "declare double @llvm.maxnum.f64(double, double)\n"
                     "declare float @llvm.fma.f32(float, float, float)\n"
                     "declare double @llvm.fma.f64(double, double, double)\n"
                     "declare float @llvm.sqrt.f32(float)\n"
                     "declare double @llvm.sqrt.f64(double)\n"
                     "declare float @llvm.cos.f32(float)\n"
                     "define " +
                         type + " @f(float %x, float %y) {\n" + body +
                         "  ret " + type + " %r\n}\n!0 = !{}\n",
                     context);
    const llvm::Function *function = module->getFunction("f");
    for (const llvm::Instruction &each : llvm::instructions(function))
      if (each.getName() == "r")
        what = ofOneFloat(each);
  }
};

bool areSame(const std::string &one, const std::string &other,
             const std::string &type = "float") {
  Computed a(one, type), b(other, type);
  EXPECT_TRUE(a.what && b.what) << one;
  return a.what && b.what && areSameForAllFloats(*a.what, *b.what);
}

constexpr const char *wide = "  %d = fpext float %x to double\n";

} // namespace

TEST(AllFloats, WhatDoubleDoesNotChangeIsTheSame) {
  EXPECT_TRUE(areSame(std::string(wide) + "  %s = fadd double %d, %d\n"
                                          "  %r = fptrunc double %s to float\n",
                      "  %r = fadd float %x, %x\n"));
}

// PTX's maximum of a NaN and a number is the number, of both zeros +0.
TEST(AllFloats, AMaximumOfZeroIsNeverNegativeOrNan) {
  EXPECT_FALSE(areSame("  %r = call float @llvm.maxnum.f32(float %x, float "
                       "0.0)\n",
                       "  %b = fcmp ogt float %x, 0.0\n"
                       "  %r = select i1 %b, float %x, float -0.0\n"));
  EXPECT_FALSE(areSame("  %r = call float @llvm.maxnum.f32(float %x, float "
                       "0.0)\n",
                       "  %b = fcmp ult float %x, 0.0\n"
                       "  %r = select i1 %b, float 0.0, float %x\n"));
}

// 0.1f is above 0.1, and nothing lies between.
TEST(AllFloats, OneFloatThatDiffersIsFound) {
  EXPECT_FALSE(areSame(std::string(wide) +
                           "  %r = fcmp ogt double %d, 0x3FB999999999999A\n",
                       "  %r = fcmp ogt float %x, 0x3FB99999A0000000\n", "i1"));
}

TEST(AllFloats, DenormalsRoundingAndZerosCount) {
  EXPECT_FALSE(areSame(std::string(wide) +
                           "  %h = fmul double %d, 0.5\n"
                           "  %s = fadd double %h, %h\n"
                           "  %r = fptrunc double %s to float\n",
                       "  %h = fmul float %x, 0.5\n"
                       "  %r = fadd float %h, %h\n"))
      << "half of an odd denormal";
  EXPECT_FALSE(areSame("  %a = fadd float %x, 1.0\n"
                       "  %r = fadd float %a, -1.0\n",
                       "  %r = fadd float %x, 0.0\n"));
  EXPECT_FALSE(
      areSame("  %r = fadd float %x, 0.0\n", "  %r = fsub float %x, 0.0\n"))
      << "-0 + 0 is 0";
}

// The device gives each NaN that it makes the same bits, and moves others.
TEST(AllFloats, ANanThatIsMovedIsNotOneThatIsMade) {
  EXPECT_FALSE(areSame("  %b = fcmp ogt float %x, 0.0\n"
                       "  %r = select i1 %b, float 1.0, float %x\n",
                       "  %b = fcmp ogt float %x, 0.0\n"
                       "  %p = fmul float %x, 1.0\n"
                       "  %r = select i1 %b, float 1.0, float %p\n"));
}

TEST(AllFloats, WhatIeeeLeavesOpenIsNoFunction) {
  auto isFunction = [](const std::string &body) {
    return Computed(body, "float").what.has_value();
  };
  EXPECT_TRUE(isFunction("  %r = call float @llvm.sqrt.f32(float %x)\n"));
  EXPECT_FALSE(isFunction("  %r = call float @llvm.cos.f32(float %x)\n"));
  EXPECT_FALSE(isFunction("  %r = fadd float %x, %y\n"));
  EXPECT_FALSE(isFunction("  %r = fdiv float %x, 3.0, !warplint.inexact !0\n"));
  EXPECT_FALSE(isFunction("  %p = fmul contract float %x, %x\n"
                          "  %r = fadd contract float %p, 1.0\n"))
      << "ptxas may fuse them";
  EXPECT_FALSE(isFunction("  %r = fadd float 1.0, 1.0\n"));
}
