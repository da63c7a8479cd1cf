// Calls of one kernel: what they do is the kernel's, and other kernels pay
// nothing for it.
#include "ir/analyses.h"
#include "ir/inline_calls.h"
#include "ir/normalise.h"
#include "ir_text.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <gmock/gmock.h>

namespace warplint {

namespace {

class InlineCalls : public testing::Test {
protected:
  void parse(const std::string &text) {
    module_ = parseIr(text, context_);
    target_ = deviceTarget(*module_);
    analyses_.emplace(*target_);
    inliner_.emplace(*module_, analyses_->functions,
                     [this](llvm::Function &callee) {
                       tidied_.push_back(callee.getName().str());
                     });
  }

  llvm::Function &function(const char *name) {
    return *module_->getFunction(name);
  }

  /// The names of what a function calls, in order.
  std::vector<std::string> callsIn(const char *name) {
    std::vector<std::string> names;
    for (llvm::Instruction &instruction : llvm::instructions(function(name)))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        names.push_back(call->getCalledFunction()
                            ? call->getCalledFunction()->getName().str()
                            : "?");
    return names;
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  std::unique_ptr<llvm::TargetMachine> target_;
  std::optional<Analyses> analyses_;
  std::optional<Inliner> inliner_;
  std::vector<std::string> tidied_;
};

/// Functions of which each calls the one before, and the first none: "f0",
/// "f1".
std::string chainOf(int functions) {
  std::string text = R"(
define internal void @f0(ptr %p) alwaysinline {
  store volatile i32 0, ptr %p
  ret void
}
)";
  for (int i = 1; i < functions; ++i)
    text += "define internal void @f" + std::to_string(i) +
            "(ptr %p) alwaysinline {\n  store volatile i32 " +
            std::to_string(i) + ", ptr %p\n  call void @f" +
            std::to_string(i - 1) + "(ptr %p)\n  ret void\n}\n";
  return text;
}

} // namespace

// The outer ones are inlined first, or each would copy all those inside it.
TEST_F(InlineCalls, AllFunctionsOfALongChainAreInlined) {
  parse(chainOf(500) + R"(
define ptx_kernel void @k(ptr %p) {
  call void @f499(ptr %p)
  ret void
}
)");
  EXPECT_TRUE(inliner_->inlineInto(function("k")));
  EXPECT_THAT(callsIn("k"), testing::IsEmpty());
  EXPECT_EQ(function("k").getInstructionCount(), 501u);
  EXPECT_FALSE(inliner_->inlineInto(function("k")));
}

// 'not followed: recursion' was said of the second kernel.
TEST_F(InlineCalls, AllKernelsGetALongChain) {
  std::string text = chainOf(300);
  for (const char *kernel : {"k", "l"})
    text += std::string("define ptx_kernel void @") + kernel +
            "(ptr %p) {\n  call void @f299(ptr %p)\n  ret void\n}\n";
  text += "define ptx_kernel void @m(ptr %p) {\n  call void @f200(ptr %p)\n"
          "  ret void\n}\n";
  parse(text);
  for (const char *kernel : {"k", "l", "m"}) {
    EXPECT_TRUE(inliner_->inlineInto(function(kernel))) << kernel;
    EXPECT_THAT(callsIn(kernel), testing::IsEmpty()) << kernel;
  }
  EXPECT_EQ(function("l").getInstructionCount(), 301u);
  EXPECT_EQ(function("m").getInstructionCount(), 202u);
}

TEST_F(InlineCalls, OneKernelGetsItsCallsAndTheOtherKeepsIts) {
  parse(R"(
define internal void @inner(ptr %p) alwaysinline {
  store i32 1, ptr %p
  ret void
}
define internal void @outer(ptr %p) alwaysinline {
  call void @inner(ptr %p)
  call void @inner(ptr %p)
  ret void
}
define ptx_kernel void @k(ptr %p) {
  call void @outer(ptr %p)
  ret void
}
define ptx_kernel void @other(ptr %p) {
  call void @outer(ptr %p)
  ret void
}
)");
  inliner_->inlineInto(function("k"));
  EXPECT_THAT(callsIn("k"), testing::IsEmpty());
  EXPECT_EQ(function("k").getInstructionCount(), 3u);
  EXPECT_THAT(callsIn("other"), testing::ElementsAre("outer"));
  inliner_->inlineInto(function("other"));
  EXPECT_EQ(function("other").getInstructionCount(), 3u);
  // The innermost first, and each one once for all its callers.
  EXPECT_THAT(tidied_, testing::ElementsAre("outer", "inner", "outer"));
  EXPECT_TRUE(function("outer").isDeclaration());
}

// Otherwise reading such a kernel would never end.
TEST_F(InlineCalls, FunctionsThatCallEachOtherAreInlinedOnce) {
  parse(R"(
define internal void @even(ptr %p) alwaysinline {
  store i32 0, ptr %p
  call void @odd(ptr %p)
  ret void
}
define internal void @odd(ptr %p) alwaysinline {
  store i32 1, ptr %p
  call void @even(ptr %p)
  ret void
}
define ptx_kernel void @k(ptr %p) {
  call void @even(ptr %p)
  ret void
}
)");
  inliner_->inlineInto(function("k"));
  EXPECT_THAT(callsIn("k"), testing::ElementsAre("even"));
  EXPECT_THAT(callsIn("even"), testing::ElementsAre("even"));
  EXPECT_EQ(function("even").getInstructionCount(), 4u);
  EXPECT_FALSE(inliner_->inlineInto(function("k")));
}

// Otherwise 'hoisted' or 'needed each time' depends on which function of a
// source comes first.
TEST_F(InlineCalls, ALoadBehindACallKeepsTheRestrictedPointer) {
  parse(R"(
define internal void @load(ptr noalias %a, ptr %out) alwaysinline {
  %x = call i32 @get(ptr %a)
  store i32 %x, ptr %out
  ret void
}
define internal i32 @get(ptr %p) alwaysinline {
  %x = load i32, ptr %p
  ret i32 %x
}
define ptx_kernel void @k(ptr %a, ptr %out) {
  call void @load(ptr %a, ptr %out)
  ret void
}
)");
  inliner_->inlineInto(function("k"));
  for (llvm::Instruction &instruction : llvm::instructions(function("k")))
    if (llvm::isa<llvm::LoadInst>(instruction)) {
      EXPECT_TRUE(instruction.hasMetadata(llvm::LLVMContext::MD_alias_scope));
    }
}

TEST_F(InlineCalls, LocalsStandInTheOrderOfTheirCalls) {
  parse(R"(
define internal void @f(ptr %p) alwaysinline {
  %first = alloca [4 x i32]
  store i32 1, ptr %first
  ret void
}
define internal void @g(ptr %p) alwaysinline {
  %second = alloca [4 x i32]
  store i32 1, ptr %second
  ret void
}
define ptx_kernel void @k(ptr %p) {
  call void @f(ptr %p)
  call void @g(ptr %p)
  call void @f(ptr %p)
  ret void
}
)");
  inliner_->inlineInto(function("k"));
  std::vector<std::string> locals;
  for (llvm::Instruction &instruction : llvm::instructions(function("k")))
    if (llvm::isa<llvm::AllocaInst>(instruction))
      locals.push_back(instruction.getName().split('.').first.str());
  EXPECT_THAT(locals, testing::ElementsAre("second", "first", "first"));
}

// nvcc calls such functions from dozens of places; with all of them inlined, a
// source of 844 lines took two minutes, and its answer did not fit.
TEST_F(InlineCalls, WhatMakesAKernelTooLargeIsLeftWhereItIsCalled) {
  std::string text = "define internal void @hash(ptr %p) alwaysinline {\n";
  for (unsigned i = 0; i < 60'000; ++i)
    text += "  store i32 1, ptr %p\n";
  text += "  ret void\n}\ndefine ptx_kernel void @k(ptr %p) {\n";
  for (unsigned i = 0; i < 5; ++i)
    text += "  call void @hash(ptr %p)\n";
  text += "  ret void\n}\ndefine ptx_kernel void @small(ptr %p) {\n"
          "  call void @hash(ptr %p)\n  ret void\n}\n";
  parse(text);
  EXPECT_TRUE(inliner_->inlineInto(function("k")));
  EXPECT_EQ(callsIn("k"), (std::vector<std::string>{"hash", "hash"}));
  EXPECT_TRUE(function("hash").hasFnAttribute(tooLarge));
  EXPECT_TRUE(inliner_->inlineInto(function("small")));
  EXPECT_THAT(callsIn("small"), testing::IsEmpty());
}

} // namespace warplint
