// Marks of indexes in IR: no pass may take one for a call that writes memory.
#include "ir/index_marks.h"
#include "ir_text.h"

namespace warplint {

TEST(IndexMarks, AForgottenMarkLeavesNothingOfItself) {
  llvm::LLVMContext context;
  auto module = parseIr(R"(
define ptx_kernel void @k(ptr %a, ptr %n) {
  %i = load i32, ptr %n
  %next = add i32 %i, 1
  call void @warplint.index.LayoutLeft(i32 %next)
  store i32 0, ptr %a
  call void @other(i32 3)
  ret void
}
declare void @warplint.index.LayoutLeft(i32)
declare void @other(i32)
)",
                        context);
  forgetIndexMarks(*module->getFunction("k"));
  EXPECT_EQ(module->getFunction("k")->getInstructionCount(), 3u);
  EXPECT_TRUE(module->getFunction("warplint.index.LayoutLeft")->use_empty());
}

TEST(IndexMarks, OnlyKnownLayoutsHaveAContiguousIndex) {
  EXPECT_EQ(contiguousIndex("LayoutLeft", 3), 0u);
  EXPECT_EQ(contiguousIndex("LayoutRight", 3), 2u);
  EXPECT_EQ(contiguousIndex("layout_right", 2), 1u);
  EXPECT_EQ(contiguousIndex("LayoutStride", 2), std::nullopt);
}

} // namespace warplint
