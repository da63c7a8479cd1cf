// Copies between locals of long unrolled code, such as the rounds of a hash.
#include "ir/local_copies.h"
#include "ir_text.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

/// The instructions of a kind that are left of `count` copies, each of them of
/// an element of an array into a local and back.
template <class Kind> unsigned leftOf(unsigned count, llvm::StringRef element) {
  std::string text = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
                     "define void @f() {\n"
                     "  %p = alloca [8 x " +
                     element.str() + "], align 8\n  %t = alloca " +
                     element.str() + ", align 8\n";
  for (unsigned i = 0; i < count; ++i) {
    const std::string at = "%e" + std::to_string(i);
    text +=
        "  " + at + " = getelementptr inbounds [8 x " + element.str() +
        "], ptr %p, i64 0, i64 " + std::to_string(i % 8) +
        "\n  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %t, ptr align 8 " +
        at +
        ", i64 16, i1 false)\n  call void @llvm.memcpy.p0.p0.i64(ptr align "
        "8 " +
        at + ", ptr align 8 %t, i64 16, i1 false)\n";
  }
  llvm::LLVMContext context;
  const auto module = parseIr(text + "  ret void\n}\n", context);
  llvm::Function &function = *module->getFunction("f");
  copyLocalsByPart(function);
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  unsigned left = 0;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    left += llvm::isa<Kind>(instruction);
  return left;
}

// SROA took the square of their number.
TEST(LocalCopies, ManyAreMadePartByPart) {
  EXPECT_EQ(leftOf<llvm::MemCpyInst>(200, "{ i32, i32, double }"), 0u);
  EXPECT_EQ(leftOf<llvm::LoadInst>(200, "{ i32, i32, double }"), 1200u);
  EXPECT_EQ(leftOf<llvm::StoreInst>(200, "{ [2 x i32], i64 }"), 1200u);
}

// A copy that stays in memory is one access.
TEST(LocalCopies, FewStay) {
  EXPECT_EQ(leftOf<llvm::MemCpyInst>(20, "{ i32, i32, double }"), 40u);
}

TEST(LocalCopies, LargeStructuresStay) {
  EXPECT_EQ(leftOf<llvm::MemCpyInst>(200, "{ [16 x i8] }"), 400u);
}

} // namespace

} // namespace warplint
