// Tests what an instruction of the IR computes: checks of divisions, powers and
// widths ask for no other names.
#include "ir/name_operations.h"
#include "ir_text.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <gmock/gmock.h>

using namespace warplint;

namespace {

class NameOperations : public testing::Test {
protected:
  /// The first instruction of a function over floats %x, %y, doubles %d, %e and
  /// integers %i, %j.
  std::optional<NamedOperation> named(const std::string &instruction,
                                      const std::string &declarations = "") {
    module_ = parseIr(declarations +
                          "\ndefine void @f(float %x, float %y, double %d, "
                          "double %e, i32 %i, i32 %j, i8 %b, half %h) {\n  " +
                          instruction + "\n  ret void\n}\n",
                      context_);
    llvm::Function *f = module_->getFunction("f");
    if (!f)
      return std::nullopt;
    return nameOperation(*inst_begin(f));
  }
  void expect(const std::string &instruction, Compute kind, Number type,
              const std::string &declarations = "") {
    SCOPED_TRACE(instruction);
    auto found = named(instruction, declarations);
    ASSERT_TRUE(found);
    EXPECT_STREQ(spelling(found->computation.kind), spelling(kind));
    EXPECT_STREQ(spelling(found->computation.type), spelling(type));
  }
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

TEST_F(NameOperations, OperatorsHaveTheirKindAndTheirWidth) {
  expect("%r = fadd float %x, %y", Compute::Add, Number::F32);
  expect("%r = fdiv double %d, %e", Compute::Divide, Number::F64);
  expect("%r = srem i32 %i, %j", Compute::Remainder, Number::I32);
  expect("%r = fcmp olt double %d, %e", Compute::Compare, Number::F64);
  expect("%r = fptrunc double %d to float", Compute::Convert, Number::F32);
  expect("%r = fmul half %h, %h", Compute::Multiply, Number::F16);
  EXPECT_FALSE(named("%r = alloca i32"));
}

// The copy of a 'uint4' is no arithmetic: its loads and stores move registers.
TEST_F(NameOperations, WordsOfAWiderIntegerAreMovedByNoInstruction) {
  auto named = [&](const std::string &body) {
    module_ = parseIr(
        "define i64 @f(i32 %lo, i32 %hi, i64 %w) {\n" + body + "}\n", context_);
    llvm::Function *f = module_->getFunction("f");
    std::vector<std::string> names;
    for (const llvm::Instruction &instruction : instructions(f))
      if (auto operation = nameOperation(instruction))
        names.push_back(spelling(operation->computation.kind));
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(named("%l = zext i32 %lo to i64\n%h = zext i32 %hi to i64\n"
                  "%s = shl i64 %h, 32\n%r = or i64 %s, %l\nret i64 %r\n"),
            (Names{"convert", "convert"}));
  EXPECT_EQ(named("%r = lshr i64 %w, 32\nret i64 %r\n"), Names{});
  EXPECT_EQ(named("%r = and i64 %w, -4294967296\nret i64 %r\n"), Names{});
  EXPECT_EQ(named("%r = lshr i64 %w, 16\nret i64 %r\n"), Names{"shift"});
  EXPECT_EQ(named("%r = and i64 %w, 65535\nret i64 %r\n"), Names{"logic"});
  EXPECT_EQ(named("%l = zext i32 %lo to i64\n%r = or i64 %w, %l\n"
                  "ret i64 %r\n"),
            (Names{"convert", "logic"}));
}

// A signed division costs more, and an unsigned byte is no negative number.
// What one function of a 'half2' gives the next one was counted as taken apart
// and joined: five instructions where the compiler makes none.
TEST_F(NameOperations, HalvesOfARegisterAreJoinedByNoInstruction) {
  auto named = [&](const std::string &body) {
    module_ = parseIr(
        "define i32 @f(i32 %w, i32 %v) {\n" + body + "}\n", context_);
    llvm::Function *f = module_->getFunction("f");
    std::vector<std::string> names;
    for (const llvm::Instruction &instruction : instructions(f))
      if (auto operation = nameOperation(instruction))
        if (operation->computation.kind != Compute::Convert ||
            llvm::isa<llvm::ZExtInst>(instruction))
          names.push_back(spelling(operation->computation.kind));
    return names;
  };
  const std::string split = "  %l = trunc i32 %w to i16\n"
                            "  %s = lshr i32 %w, 16\n"
                            "  %h = trunc i32 %s to i16\n",
                    join = "  %zh = zext i16 %h to i32\n"
                           "  %up = shl nuw i32 %zh, 16\n"
                           "  %zl = zext i16 %l to i32\n"
                           "  %r = or disjoint i32 %up, %zl\n"
                           "  ret i32 %r\n";
  EXPECT_THAT(named(split + join), testing::IsEmpty());
  // Of two registers: one instruction moves bytes.
  EXPECT_THAT(named("  %l = trunc i32 %w to i16\n"
                    "  %h = trunc i32 %v to i16\n" +
                    join),
              testing::ElementsAre("logic"));
  // The upper half alone, as a number, and another distance.
  EXPECT_THAT(named("  %s = lshr i32 %w, 16\n  ret i32 %s\n"),
              testing::ElementsAre("shift"));
  EXPECT_THAT(named("  %s = lshr i32 %w, 8\n"
                    "  %h = trunc i32 %s to i16\n"
                    "  %r = zext i16 %h to i32\n"
                    "  ret i32 %r\n"),
              testing::ElementsAre("shift", "convert"));
}

TEST_F(NameOperations, SignsAreThoseOfTheSource) {
  EXPECT_TRUE(named("%r = sdiv i32 %i, %j")->computation.isSigned);
  EXPECT_FALSE(named("%r = udiv i32 %i, %j")->computation.isSigned);
  EXPECT_TRUE(named("%r = icmp slt i32 %i, %j")->computation.isSigned);
  EXPECT_FALSE(named("%r = icmp ult i32 %i, %j")->computation.isSigned);
  EXPECT_FALSE(named("%r = lshr i32 %i, 3")->computation.isSigned);
}

TEST_F(NameOperations, FunctionsOfTheMathLibraryAreKnownWithEachSuffix) {
  expect("%r = call float @__nv_powf(float %x, float %y)", Compute::Power,
         Number::F32, "declare float @__nv_powf(float, float)");
  expect("%r = call double @__nv_pow(double %d, double %e)", Compute::Power,
         Number::F64, "declare double @__nv_pow(double, double)");
  expect("%r = call float @__nv_rsqrtf(float %x)", Compute::ReciprocalRoot,
         Number::F32, "declare float @__nv_rsqrtf(float)");
  expect("%r = call i32 @__nv_popc(i32 %i)", Compute::Bits, Number::I32,
         "declare i32 @__nv_popc(i32)");
  expect("%r = call i32 @__nv_float2int_rz(float %x)", Compute::Convert,
         Number::I32, "declare i32 @__nv_float2int_rz(float)");
  expect("%r = call float @__nv_erff(float %x)", Compute::Function, Number::F32,
         "declare float @__nv_erff(float)");
}

// What moves bits costs less than what counts them.
TEST_F(NameOperations, BitOperationsHaveTheirName) {
  EXPECT_EQ(named("%r = call i32 @llvm.fshl.i32(i32 %i, i32 %i, i32 7)",
                  "declare i32 @llvm.fshl.i32(i32, i32, i32)")
                ->function,
            "fshl");
  EXPECT_EQ(named("%r = call i32 asm \"shf.l.wrap.b32 $0, $1, $1, 7;\", "
                  "\"=r,r\"(i32 %i)")
                ->function,
            "shf");
}

// A user who wrote __fdividef must not be told to write it.
TEST_F(NameOperations, FastFormsAreApproximate) {
  auto fast = named("%r = call float @__nv_fast_fdividef(float %x, float %y)",
                    "declare float @__nv_fast_fdividef(float, float)");
  ASSERT_TRUE(fast);
  EXPECT_EQ(fast->computation.kind, Compute::Divide);
  EXPECT_TRUE(fast->computation.isApproximate);
  auto exact = named("%r = call float @__nv_fdiv_rn(float %x, float %y)",
                     "declare float @__nv_fdiv_rn(float, float)");
  ASSERT_TRUE(exact);
  EXPECT_FALSE(exact->computation.isApproximate);
  EXPECT_TRUE(exact->computation.isRounded);
  EXPECT_TRUE(named("%r = call float @llvm.nvvm.ex2.approx.f32(float %x)",
                    "declare float @llvm.nvvm.ex2.approx.f32(float)")
                  ->computation.isApproximate);
}

// The header of halves is inline PTX.
TEST_F(NameOperations, InlineAssemblyIsReadByItsOpcode) {
  expect("%r = call i16 asm \"{fma.rn.f16 $0,$1,$2,$3;\\0A}\", "
         "\"=h,h,h,h\"(i16 1, i16 2, i16 3)",
         Compute::Fused, Number::F16);
  auto pair = named("%r = call i32 asm \"{mul.f16x2 $0,$1,$2;}\", "
                    "\"=r,r,r\"(i32 %i, i32 %j)");
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->computation.lanes, 2u);
  EXPECT_FALSE(named("%r = call i32 asm \"mov.u32 $0, %laneid;\", \"=r\"()"));
}

// Marks of the reader, thread indexes and other people's functions.
TEST_F(NameOperations, WhatIsNoArithmeticIsNone) {
  EXPECT_FALSE(named("%r = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
                     "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()"));
  EXPECT_FALSE(named("call void @warplint.passed(i32 %i)",
                     "declare void @warplint.passed(i32)"));
  auto own = named("%r = call float @simulate(float %x)",
                   "declare float @simulate(float)");
  ASSERT_TRUE(own);
  EXPECT_EQ(own->computation.kind, Compute::Call);
  EXPECT_EQ(own->function, "simulate");
}

} // namespace
