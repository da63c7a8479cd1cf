// Kernels of many loops, of which each loads what stays the same in it: to move
// these loads out takes the cube of the number of loops.
#include "ir/analyses.h"
#include "ir/memory_walks.h"
#include "ir/needed_accesses.h"
#include "ir/normalise.h"
#include "ir_text.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace warplint {

namespace {

/// `count` loops up to %n, one after the other, each with the load %xN of the
/// same element in each iteration; all inside one loop if `isNested`.
std::string loopsWithALoad(unsigned count, bool isNested = false) {
  std::string text = "define ptx_kernel void @k(ptr noalias %a, ptr noalias "
                     "%out, i32 %n) {\nentry:\n  br label %start\nstart:\n";
  if (isNested)
    text += "  %r = phi i32 [ 0, %entry ], [ %rnext, %last ]\n";
  text += "  br label %body0\n";
  for (unsigned i = 0; i < count; ++i) {
    const std::string id = std::to_string(i),
                      from = i ? "%after" + std::to_string(i - 1) : "%start",
                      sum = i ? "%sum" + std::to_string(i - 1) : "0";
    text += "body" + id + ":\n  %i" + id + " = phi i32 [ 0, " + from +
            " ], [ %next" + id + ", %body" + id + " ]\n  %s" + id +
            " = phi i32 [ " + sum + ", " + from + " ], [ %sum" + id +
            ", %body" + id + " ]\n  %p" + id +
            " = getelementptr i32, ptr %a, i32 " + id + "\n  %x" + id +
            " = load i32, ptr %p" + id + "\n  %y" + id + " = mul i32 %x" + id +
            ", %i" + id + "\n  %sum" + id + " = add i32 %s" + id + ", %y" + id +
            "\n  %next" + id + " = add nsw i32 %i" + id + ", 1\n  %more" + id +
            " = icmp slt i32 %next" + id + ", %n\n  br i1 %more" + id +
            ", label %body" + id + ", label %after" + id + "\nafter" + id +
            ":\n  br label %" +
            (i + 1 < count ? "body" + std::to_string(i + 1) : "last") + "\n";
  }
  text += "last:\n";
  if (isNested)
    text += "  %rnext = add nsw i32 %r, 1\n"
            "  %again = icmp slt i32 %rnext, %n\n"
            "  br i1 %again, label %start, label %end\n";
  else
    text += "  br label %end\n";
  return text + "end:\n  store i32 %sum" + std::to_string(count - 1) +
         ", ptr %out\n  ret void\n}\n";
}

class MemoryWalks : public testing::Test {
protected:
  /// The most loops from one end to the next, in the order of the code.
  unsigned longest(const std::string &text) {
    read(text);
    auto &loops = analyses_->functions.getResult<llvm::LoopAnalysis>(*kernel_);
    const auto ends = endMemoryWalks(*kernel_, loops);
    EXPECT_FALSE(llvm::verifyModule(*module_, &llvm::errs()));
    ends_ = ends.size();
    unsigned most = 0, passed = 0;
    for (llvm::BasicBlock &block : *kernel_)
      for (llvm::Instruction &instruction : block) {
        const llvm::Loop *loop = loops.getLoopFor(&block);
        if (llvm::isa<llvm::FenceInst>(instruction)) {
          EXPECT_FALSE(loop) << "LICM takes what a fence orders to be changed";
          passed = 0;
        }
        if (loop && loop->getHeader() == &block &&
            &block.front() == &instruction)
          most = std::max(most, ++passed);
      }
    return most;
  }

  /// How many loads the compiler makes before their loop.
  unsigned hoisted(const std::string &text) {
    read(text);
    markNeededAccesses(*kernel_, analyses_->functions);
    unsigned count = 0;
    for (llvm::Instruction &instruction : llvm::instructions(*kernel_)) {
      count += instruction.getMetadata(accessHoisted) != nullptr;
      EXPECT_FALSE(llvm::isa<llvm::FenceInst>(instruction));
    }
    return count;
  }

  unsigned ends_ = 0;

private:
  void read(const std::string &text) {
    module_ = parseIr(text, context_);
    target_ = deviceTarget(*module_);
    analyses_ = std::make_unique<Analyses>(*target_);
    kernel_ = module_->getFunction("k");
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  std::unique_ptr<llvm::TargetMachine> target_;
  std::unique_ptr<Analyses> analyses_;
  llvm::Function *kernel_ = nullptr;
};

} // namespace

TEST_F(MemoryWalks, FewLoopsArePassed) {
  EXPECT_EQ(longest(loopsWithALoad(20)), 20u);
  EXPECT_EQ(ends_, 0u);
  EXPECT_EQ(longest(loopsWithALoad(400)), mostLoopsPassed);
  EXPECT_EQ(ends_, 399 / mostLoopsPassed);
}

TEST_F(MemoryWalks, NoEndIsInsideALoop) {
  longest(loopsWithALoad(100, true));
  EXPECT_EQ(ends_, 0u);
}

// What ends a walk keeps no load in its loop.
TEST_F(MemoryWalks, TheLoadsOfAllLoopsAreHoisted) {
  EXPECT_EQ(hoisted(loopsWithALoad(200)), 200u);
  EXPECT_EQ(hoisted(loopsWithALoad(100, true)), 100u);
}

} // namespace warplint
