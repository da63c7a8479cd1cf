// Copies and sets of memory to the loads and stores that the machine runs.
#include "ir/split_copies.h"
#include "ir_text.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <gmock/gmock.h>

using testing::ElementsAre;
using testing::IsEmpty;

namespace warplint {

namespace {

class SplitCopies : public testing::Test {
protected:
  llvm::Function &function(const std::string &body) {
    module_ = parseIr(R"(
@init = private constant [3 x i32] [i32 5, i32 6, i32 7]
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define void @f(ptr %a, ptr %b, i8 %v) {
  %own = alloca [3 x i32]
  %other = alloca [3 x i32]
)" + body + "\n  ret void\n}\n",
                      context_);
    return *module_->getFunction("f");
  }

  static std::string copy(const std::string &operands) {
    return "  call void @llvm.memcpy.p0.p0.i64(" + operands + ")\n";
  }

  /// The bytes of what each instruction of a kind accesses.
  template <class Kind> std::vector<unsigned> bytes() {
    EXPECT_FALSE(llvm::verifyModule(*module_, &llvm::errs()));
    std::vector<unsigned> found;
    for (llvm::Instruction &one :
         llvm::instructions(*module_->getFunction("f")))
      if (auto *access = llvm::dyn_cast<Kind>(&one))
        found.push_back(
            llvm::getLoadStoreType(access)->getPrimitiveSizeInBits() / 8);
    return found;
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

TEST_F(SplitCopies, ACopyHasTheWidthOfItsAlignment) {
  EXPECT_TRUE(splitCopies(
      function(copy("ptr align 4 %a, ptr align 4 %b, i64 12, i1 false"))));
  EXPECT_THAT(bytes<llvm::LoadInst>(), ElementsAre(4, 4, 4));
  EXPECT_THAT(bytes<llvm::StoreInst>(), ElementsAre(4, 4, 4));
  EXPECT_TRUE(splitCopies(
      function(copy("ptr align 16 %a, ptr align 16 %b, i64 24, i1 false"))));
  EXPECT_THAT(bytes<llvm::LoadInst>(), ElementsAre(16, 8));
}

TEST_F(SplitCopies, LargeOnesAndVolatileOnesStay) {
  EXPECT_FALSE(splitCopies(
      function(copy("ptr align 4 %a, ptr align 4 %b, i64 1024, i1 false"))));
  EXPECT_FALSE(splitCopies(
      function(copy("ptr align 4 %a, ptr align 4 %b, i64 12, i1 true"))));
  EXPECT_THAT(bytes<llvm::LoadInst>(), IsEmpty());
}

TEST_F(SplitCopies, ACopyBetweenLocalsIsNoAccess) {
  llvm::Function &inside =
      function(copy("ptr align 4 %own, ptr align 4 %other, i64 12, i1 false"));
  EXPECT_FALSE(splitCopies(inside));
  auto copyOf = [](llvm::Function &function) -> llvm::MemIntrinsic & {
    for (llvm::Instruction &one : llvm::instructions(function))
      if (auto *found = llvm::dyn_cast<llvm::MemIntrinsic>(&one))
        return *found;
    llvm_unreachable("no copy");
  };
  EXPECT_TRUE(isBetweenLocals(copyOf(inside)));
  EXPECT_FALSE(isBetweenLocals(copyOf(
      function(copy("ptr align 4 %own, ptr align 4 %b, i64 12, i1 false")))));
}

// The source did not say volatile: SROA may take a half that turns out to lead
// to a local.
TEST_F(SplitCopies, OnlyTheHalvesOfACopyAreOpened) {
  llvm::Function &f =
      function(copy("ptr align 4 %own, ptr align 4 %b, i64 4, i1 false") +
               "  store volatile i32 1, ptr %own");
  ASSERT_TRUE(splitCopies(f));
  EXPECT_FALSE(openCopies(f));
  for (llvm::Instruction &one : llvm::instructions(f))
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&one))
      load->setOperand(0, &f.getEntryBlock().front());
  EXPECT_TRUE(openCopies(f));
  unsigned left = 0;
  for (llvm::Instruction &one : llvm::instructions(f))
    left += one.isVolatile();
  EXPECT_EQ(left, 1u);
}

TEST_F(SplitCopies, ASetIsStored) {
  EXPECT_TRUE(splitSets(function("  call void @llvm.memset.p0.i64(ptr align 8 "
                                 "%a, i8 0, i64 12, i1 false)")));
  EXPECT_THAT(bytes<llvm::StoreInst>(), ElementsAre(8, 4));
  EXPECT_FALSE(splitSets(function("  call void @llvm.memset.p0.i64(ptr align 8 "
                                  "%a, i8 %v, i64 12, i1 false)")));
}

TEST_F(SplitCopies, ATableIsFilledElementByElement) {
  llvm::Function &f =
      function(copy("ptr align 4 %own, ptr align 4 @init, i64 12, i1 false"));
  EXPECT_TRUE(fillTables(f));
  std::vector<uint64_t> held;
  for (llvm::Instruction &one : llvm::instructions(f))
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&one))
      held.push_back(llvm::cast<llvm::ConstantInt>(store->getValueOperand())
                         ->getZExtValue());
  EXPECT_THAT(held, ElementsAre(5, 6, 7));
}

} // namespace

} // namespace warplint
