#include "fixes/program.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace warplint {

unsigned elementBits(const Type &type) {
  const Type *element = &type;
  if (const auto *vector = dyn_cast<FixedVectorType>(element))
    element = vector->getElementType();
  if (element->isPointerTy())
    return 64;
  const unsigned bits = element->getPrimitiveSizeInBits();
  return bits <= 64 ? bits : 0;
}

unsigned lanesOf(const Type &type) {
  if (const auto *vector = dyn_cast<FixedVectorType>(&type))
    return vector->getNumElements();
  if (const auto *structure = dyn_cast<StructType>(&type))
    return structure->getNumElements();
  return 1;
}

namespace {

class Builder {
public:
  Builder(const Function &function,
          const std::function<uint64_t(const GlobalValue &)> &addressOf)
      : addressOf_(addressOf) {
    program_.function = &function;
  }

  Program build();

private:
  void fail(const Twine &why) {
    if (program_.whyNot.empty())
      program_.whyNot = why.str();
  }
  int slotOf(const Value *value) {
    return program_.slots.try_emplace(value, program_.slots.size())
        .first->second;
  }
  int operand(const Value *value);
  uint64_t scalar(const Constant *constant);
  Lanes lanes(const Constant *constant);
  void add(const Instruction &instruction);
  void addMoves(const BasicBlock &block);

  const std::function<uint64_t(const GlobalValue &)> &addressOf_;
  Program program_;
};

uint64_t Builder::scalar(const Constant *constant) {
  if (const auto *number = dyn_cast<ConstantInt>(constant)) {
    if (number->getBitWidth() <= 64)
      return number->getZExtValue();
  } else if (const auto *real = dyn_cast<ConstantFP>(constant)) {
    return real->getValueAPF().bitcastToAPInt().getZExtValue();
  } else if (isa<UndefValue>(constant) || isa<ConstantPointerNull>(constant)) {
    return 0;
  } else if (const auto *variable = dyn_cast<GlobalVariable>(constant)) {
    return addressOf_(*variable);
  } else if (const auto *made = dyn_cast<ConstantExpr>(constant)) {
    const unsigned bits = elementBits(*made->getType());
    const uint64_t mask = bits < 64 ? (uint64_t(1) << bits) - 1 : ~uint64_t(0);
    switch (made->getOpcode()) {
    case Instruction::PtrToInt:
    case Instruction::IntToPtr:
    case Instruction::AddrSpaceCast:
    case Instruction::BitCast:
    case Instruction::Trunc:
      return scalar(made->getOperand(0)) & mask;
    case Instruction::Add:
      return (scalar(made->getOperand(0)) + scalar(made->getOperand(1))) & mask;
    case Instruction::Sub:
      return (scalar(made->getOperand(0)) - scalar(made->getOperand(1))) & mask;
    case Instruction::GetElementPtr: {
      const DataLayout &layout =
          program_.function->getParent()->getDataLayout();
      APInt offset(layout.getIndexTypeSizeInBits(made->getType()), 0);
      if (cast<GEPOperator>(made)->accumulateConstantOffset(layout, offset))
        return scalar(made->getOperand(0)) + offset.getSExtValue();
      break;
    }
    default:
      break;
    }
  }
  fail("a constant of the PTX is not followed");
  return 0;
}

Lanes Builder::lanes(const Constant *constant) {
  Lanes result{};
  const unsigned count = lanesOf(*constant->getType());
  if (count == 1 && !constant->getType()->isVectorTy()) {
    result[0] = scalar(constant);
    return result;
  }
  if (isa<UndefValue>(constant) || count > result.size())
    return result;
  for (unsigned i = 0; i < count; ++i)
    if (const Constant *element = constant->getAggregateElement(i))
      result[i] = scalar(element);
  return result;
}

int Builder::operand(const Value *value) {
  if (const auto *constant = dyn_cast<Constant>(value)) {
    program_.constants.push_back(lanes(constant));
    return ~int(program_.constants.size() - 1);
  }
  return slotOf(value);
}

/// The uses of a loaded value tell its type.
Content contentOf(const LoadInst &load) {
  if (load.getType()->getScalarType()->isFloatingPointTy())
    return Content::Real;
  if (load.getType()->isPointerTy())
    return Content::Address;
  SmallVector<const Value *, 16> left = {&load};
  DenseSet<const Value *> seen;
  constexpr unsigned most = 64;
  while (!left.empty() && seen.size() < most) {
    const Value *value = left.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (const User *user : value->users()) {
      if (isa<BitCastInst>(user) &&
          user->getType()->getScalarType()->isFloatingPointTy())
        return Content::Real;
      if (isa<IntToPtrInst>(user) && load.getType()->isIntegerTy(64))
        return Content::Address;
      if (isa<BitCastInst, PHINode, SelectInst, ExtractElementInst,
              InsertElementInst>(user))
        left.push_back(user);
      else if (load.getType()->isIntegerTy(64) && isa<BinaryOperator>(user) &&
               cast<BinaryOperator>(user)->getOpcode() == Instruction::Add)
        left.push_back(user);
    }
  }
  return Content::Number;
}

void Builder::add(const Instruction &instruction) {
  if (isa<PHINode>(instruction)) {
    slotOf(&instruction);
    return;
  }
  Step step{&instruction, -1, {}, {}, 0, Content::Number};
  const Type &type = *instruction.getType();
  if (!type.isVoidTy()) {
    step.result = slotOf(&instruction);
    step.bits = type.isStructTy() ? 64 : elementBits(type);
    if (!step.bits || lanesOf(type) > Lanes().size())
      fail("a value of the PTX is too wide");
  }
  if (const auto *load = dyn_cast<LoadInst>(&instruction))
    step.content = contentOf(*load);
  if (const auto *branch = dyn_cast<BranchInst>(&instruction)) {
    if (branch->isConditional())
      step.operands.push_back(operand(branch->getCondition()));
    for (unsigned i = 0; i < branch->getNumSuccessors(); ++i)
      step.targets[i] = program_.blocks.lookup(branch->getSuccessor(i));
  } else if (const auto *choice = dyn_cast<SwitchInst>(&instruction)) {
    step.operands.push_back(operand(choice->getCondition()));
  } else if (const auto *call = dyn_cast<CallBase>(&instruction)) {
    if (!call->getCalledFunction())
      fail("a call through a pointer is not followed");
    for (const Use &argument : call->args())
      step.operands.push_back(operand(argument.get()));
  } else {
    for (const Use &each : instruction.operands())
      if (!isa<BasicBlock>(each.get()))
        step.operands.push_back(operand(each.get()));
  }
  program_.steps.push_back(std::move(step));
}

void Builder::addMoves(const BasicBlock &block) {
  const unsigned to = program_.blocks.lookup(&block);
  for (const PHINode &phi : block.phis())
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
      program_.moves[{program_.blocks.lookup(phi.getIncomingBlock(i)), to}]
          .all.push_back({slotOf(&phi), operand(phi.getIncomingValue(i))});
}

Program Builder::build() {
  for (const Argument &argument : program_.function->args())
    slotOf(&argument);
  for (const BasicBlock &block : *program_.function)
    program_.blocks.try_emplace(&block, program_.blocks.size());
  for (const BasicBlock &block : *program_.function) {
    program_.starts.push_back(program_.steps.size());
    for (const Instruction &instruction : block)
      add(instruction);
  }
  // A block that several edges of one other reach has each phi listed twice;
  // the values are equal.
  for (const BasicBlock &block : *program_.function)
    addMoves(block);
  return std::move(program_);
}

} // namespace

Program
programOf(const Function &function,
          const std::function<uint64_t(const GlobalValue &)> &addressOf) {
  return Builder(function, addressOf).build();
}

} // namespace warplint
