// IR as steps that are quick to execute: slots, constants, and what each edge
// moves into phis.
#include "fixes/program.h"
#include "ir_text.h"

using namespace warplint;

namespace {

class Programs : public testing::Test {
protected:
  Program programIn(const std::string &text) {
    module_ = parseIr(text, context_);
    for (const llvm::Function &function : *module_)
      if (!function.isDeclaration())
        return programOf(function,
                         [](const llvm::GlobalValue &) { return 0x1000; });
    return Program();
  }
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

TEST_F(Programs, ALoopMovesTheValueOfEachEdge) {
  const Program program = programIn(R"(
define void @k(ptr %a, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 7, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
)");
  EXPECT_EQ(program.whyNot, "");
  ASSERT_EQ(program.starts.size(), 3u);
  EXPECT_EQ(program.steps.size(), 5u) << "a phi is no step";
  const auto &in = program.moves.at({0, 1}).all;
  ASSERT_EQ(in.size(), 1u);
  ASSERT_LT(in[0].second, 0) << "a constant";
  EXPECT_EQ(program.constants[~in[0].second][0], 7u);
  const auto &back = program.moves.at({1, 1}).all;
  ASSERT_EQ(back.size(), 1u);
  EXPECT_EQ(back[0].first, in[0].first);
  EXPECT_GE(back[0].second, 0);
  const Step &branch = program.steps[program.starts[2] - 1];
  EXPECT_EQ(branch.targets[0], 1u);
  EXPECT_EQ(branch.targets[1], 2u);
}

// A wrong bit pattern makes two different stores look the same.
TEST_F(Programs, ConstantsAreTheirBits) {
  const Program program = programIn(R"(
@table = external addrspace(1) global [4 x i32]
define void @k(ptr %a) {
  store float 1.5, ptr %a
  store i8 -1, ptr %a
  store <2 x i16> <i16 1, i16 -2>, ptr %a
  store i64 ptrtoint (ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @table, i64 12) to i64), ptr %a
  ret void
}
)");
  EXPECT_EQ(program.whyNot, "");
  auto stored = [&](size_t step) {
    return program.constants.at(~program.steps[step].operands[0]);
  };
  EXPECT_EQ(stored(0)[0], 0x3FC00000u);
  EXPECT_EQ(stored(1)[0], 0xFFu);
  EXPECT_EQ(stored(2)[0], 1u);
  EXPECT_EQ(stored(2)[1], 0xFFFEu);
  EXPECT_EQ(stored(3)[0], 0x100Cu);
}

// Memory that nobody wrote is filled by what becomes of it: as an address, a
// small number would lead nowhere.
TEST_F(Programs, ALoadTellsWhatItsValueBecomes) {
  const Program program = programIn(R"(
define void @k(ptr %a) {
  %number = load i32, ptr %a
  %bits = load i32, ptr %a
  %real = bitcast i32 %bits to float
  %row = load i64, ptr %a
  %at = add i64 %row, 16
  %pointer = inttoptr i64 %at to ptr
  store float %real, ptr %pointer
  store i32 %number, ptr %pointer
  ret void
}
)");
  EXPECT_EQ(program.steps[0].content, Content::Number);
  EXPECT_EQ(program.steps[1].content, Content::Real);
  EXPECT_EQ(program.steps[3].content, Content::Address);
}

// Code that is not executed must be unknown, not equal.
TEST_F(Programs, WhatHasNoRepresentationIsNamed) {
  EXPECT_EQ(programIn("define void @k(ptr %f) {\n  call void %f()\n"
                      "  ret void\n}\n")
                .whyNot,
            "a call through a pointer is not followed");
  EXPECT_EQ(programIn("define void @k(i128 %a) {\n  %b = add i128 %a, %a\n"
                      "  ret void\n}\n")
                .whyNot,
            "a value of the PTX is too wide");
}

} // namespace
