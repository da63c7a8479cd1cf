// PTX read into LLVM IR, and the words in which tests describe that IR.
#pragma once
#include "ptx/read_ptx.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

namespace warplint {

inline const std::string ptxHeader =
    ".version 9.0\n.target sm_90\n.address_size 64\n";

class PtxReader : public testing::Test {
protected:
  llvm::Module &read(const std::string &text) {
    auto module = readPtx(ptxHeader + text, context_);
    if (!module) {
      ADD_FAILURE() << llvm::toString(module.takeError());
      module_ = std::make_unique<llvm::Module>("none", context_);
    } else {
      module_ = std::move(*module);
    }
    EXPECT_FALSE(llvm::verifyModule(*module_, &llvm::errs()));
    return *module_;
  }

  /// The body of a kernel `k(p0: u64, p1: u64, n: u32)` with usual registers.
  llvm::Function &kernel(const std::string &body) {
    return *read(".visible .entry k(.param .u64 p0, .param .u64 p1, "
                 ".param .u32 n)\n{\n"
                 ".reg .pred %p<9>;\n.reg .b16 %rs<9>;\n.reg .b32 %r<40>;\n"
                 ".reg .f32 %f<20>;\n.reg .b64 %rd<40>;\n" +
                 body + "\n}\n")
                .getFunction("k");
  }

  std::string error(const std::string &text) {
    auto module = readPtx(text, context_);
    return module ? "" : llvm::toString(module.takeError());
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

template <typename T> std::vector<T *> all(llvm::Function &f) {
  std::vector<T *> found;
  for (llvm::Instruction &i : llvm::instructions(f))
    if (auto *each = llvm::dyn_cast<T>(&i))
      found.push_back(each);
  return found;
}

/// A value as an expression over arguments, special registers, loads and phis.
inline std::string spell(const llvm::Value *v) {
  if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(v))
    return std::to_string(constant->getSExtValue());
  if (auto *call = llvm::dyn_cast<llvm::CallInst>(v)) {
    llvm::StringRef name = call->getCalledFunction()->getName();
    name.consume_front("llvm.nvvm.read.ptx.sreg.");
    return name.str();
  }
  auto *op = llvm::dyn_cast<llvm::Operator>(v);
  if (!op || llvm::isa<llvm::PHINode>(v) || llvm::isa<llvm::LoadInst>(v) ||
      llvm::isa<llvm::AllocaInst>(v))
    return v->getName().str();
  auto of = [&](unsigned i) { return spell(op->getOperand(i)); };
  switch (op->getOpcode()) {
  case llvm::Instruction::IntToPtr:
  case llvm::Instruction::PtrToInt:
    return of(0);
  case llvm::Instruction::SExt:
    return "sext(" + of(0) + ")";
  case llvm::Instruction::ZExt:
    return "zext(" + of(0) + ")";
  case llvm::Instruction::Add:
    return "(" + of(0) + " + " + of(1) + ")";
  case llvm::Instruction::Mul:
    return of(0) + " * " + of(1);
  case llvm::Instruction::ICmp:
    return of(0) + " " +
           llvm::CmpInst::getPredicateName(
               llvm::cast<llvm::ICmpInst>(v)->getPredicate())
               .str() +
           " " + of(1);
  case llvm::Instruction::GetElementPtr:
    return of(0) + "[" + of(1) + "]";
  default:
    return op->getName().str();
  }
}

/// `2.cu:13 in f <- 1.cu:4 in g`, innermost first.
inline std::string places(const llvm::Instruction &i) {
  std::string chain;
  for (const llvm::DILocation *l = i.getDebugLoc(); l; l = l->getInlinedAt())
    chain += (chain.empty() ? "" : " <- ") + l->getFilename().str() + ":" +
             std::to_string(l->getLine()) + ":" +
             std::to_string(l->getColumn()) + " in " +
             l->getScope()->getSubprogram()->getName().str();
  return chain;
}

/// An instruction with constant operands, which folds to what the machine
/// gives; the values are those of the PTX manual's definitions.
struct PtxSum {
  const char *instruction; ///< writes %r1, or %rd1 if the result is 64 bits
  int64_t result;
};
/// Else the test's name would hold addresses, other ones in each run.
inline void PrintTo(const PtxSum &sum, std::ostream *out) {
  *out << sum.result;
}

class PtxSums : public PtxReader, public testing::WithParamInterface<PtxSum> {
protected:
  void expectExact() {
    const std::string text = GetParam().instruction;
    const bool isWide = text.find(" %rd1,") != std::string::npos;
    llvm::Function &f =
        kernel(text + (isWide ? "\nst.u64 [0], %rd1;" : "\nst.u32 [0], %r1;"));
    auto *value = llvm::dyn_cast<llvm::ConstantInt>(
        all<llvm::StoreInst>(f).at(0)->getValueOperand());
    ASSERT_TRUE(value) << "not folded";
    EXPECT_EQ(value->getSExtValue(), GetParam().result);
  }
};

} // namespace warplint
