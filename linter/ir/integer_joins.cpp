#include "ir/integer_joins.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PatternMatch.h"

namespace warplint {

namespace {

using llvm::Instruction;
using namespace llvm::PatternMatch;

/// Values that an instruction takes.
constexpr unsigned mostTaken = 3;

bool isLogic(const llvm::Value &value) {
  auto *instruction = llvm::dyn_cast<Instruction>(&value);
  return instruction && instruction->isBitwiseLogicOp() &&
         instruction->getType()->isIntegerTy() &&
         !instruction->getType()->isIntegerTy(1);
}

bool isSum(const llvm::Value &value) {
  auto *instruction = llvm::dyn_cast<Instruction>(&value);
  return instruction && instruction->getType()->isIntegerTy() &&
         instruction->getType()->getIntegerBitWidth() <= 32 &&
         (instruction->getOpcode() == Instruction::Add ||
          instruction->getOpcode() == Instruction::Sub);
}

/// Returns true if a shift to the left by `left` and one to the right by
/// `right` leave all bits of a value.
bool isWhole(const llvm::Value *left, const llvm::Value *right, unsigned bits) {
  const llvm::APInt *number = nullptr, *other = nullptr;
  if (match(left, m_APInt(number)) && match(right, m_APInt(other)))
    return number->getZExtValue() + other->getZExtValue() == bits;
  return match(left, m_Sub(m_SpecificInt(bits), m_Specific(right))) ||
         match(right, m_Sub(m_SpecificInt(bits), m_Specific(left)));
}

/// The shifts of `x << r | x >> (32 - r)`, and the difference.
llvm::SmallVector<const Instruction *, 2> rotationOf(const Instruction &whole) {
  llvm::Value *value = nullptr, *left = nullptr, *right = nullptr;
  const unsigned opcode = whole.getOpcode();
  if (opcode != Instruction::Or && opcode != Instruction::Xor &&
      opcode != Instruction::Add)
    return {};
  for (unsigned first : {0, 1}) {
    auto *up = llvm::dyn_cast<Instruction>(whole.getOperand(first));
    auto *down = llvm::dyn_cast<Instruction>(whole.getOperand(1 - first));
    if (up && down && match(up, m_Shl(m_Value(value), m_Value(left))) &&
        match(down, m_LShr(m_Specific(value), m_Value(right))) &&
        isWhole(left, right, whole.getType()->getScalarSizeInBits())) {
      llvm::SmallVector<const Instruction *, 2> parts{up, down};
      for (const llvm::Value *distance : {left, right})
        if (auto *rest = llvm::dyn_cast<Instruction>(distance);
            rest && rest->getOpcode() == Instruction::Sub && rest->hasOneUse())
          parts.push_back(rest);
      return parts;
    }
  }
  return {};
}

} // namespace

llvm::SmallVector<const Instruction *, 2>
IntegerJoins::partsOf(const Instruction &whole, AreTogether areTogether) {
  llvm::SmallVector<const Instruction *, 2> parts;
  auto isPart = [&](const Instruction &part) {
    return part.hasOneUse() && areTogether(part, whole);
  };
  if (const auto rotation = rotationOf(whole);
      !rotation.empty() && llvm::all_of(rotation, [&](const Instruction *part) {
        return isPart(*part);
      }))
    return rotation;
  // Logic compares its result with 0 as well.
  if (auto *compare = llvm::dyn_cast<llvm::ICmpInst>(&whole)) {
    if (compare->isEquality() && isLogic(*compare->getOperand(0)) &&
        match(compare->getOperand(1), m_Zero()))
      if (auto &logic = llvm::cast<Instruction>(*compare->getOperand(0));
          isPart(logic))
        parts.push_back(&logic);
    return parts;
  }
  const bool isOfLogic = isLogic(whole);
  if (!isOfLogic && !isSum(whole))
    return parts;
  Values taken;
  for (const llvm::Value *operand : whole.operand_values())
    if (!match(operand, m_AllOnes()) && !llvm::is_contained(taken, operand))
      taken.push_back(operand);
  llvm::SmallVector<const Instruction *, 2> candidates;
  for (const llvm::Value *operand : taken)
    if (auto *part = llvm::dyn_cast<Instruction>(operand);
        part && isPart(*part))
      candidates.push_back(part);
  // LEA adds a shifted value to one other.
  if (!isOfLogic && whole.getOpcode() == Instruction::Add && taken.size() == 2)
    for (const Instruction *part : candidates)
      if (match(part, m_Shl(m_Value(), m_ConstantInt())))
        return {part};
  llvm::erase_if(candidates, [&](const Instruction *part) {
    return (isOfLogic ? !isLogic(*part) : !isSum(*part)) ||
           !taken_.contains(part);
  });
  // Both operands may take the same values.
  for (llvm::ArrayRef<const Instruction *> chosen :
       {llvm::ArrayRef(candidates), llvm::ArrayRef(candidates).take_front(1),
        llvm::ArrayRef(candidates).take_back(1)}) {
    Values then;
    for (const llvm::Value *value : taken)
      if (!llvm::is_contained(chosen, value))
        then.push_back(value);
    for (const Instruction *part : chosen)
      for (const llvm::Value *value : taken_[part])
        if (!llvm::is_contained(then, value))
          then.push_back(value);
    if (then.size() <= mostTaken) {
      parts.assign(chosen.begin(), chosen.end());
      taken = std::move(then);
      break;
    }
  }
  if (taken.size() <= mostTaken)
    taken_[&whole] = taken;
  return parts;
}

} // namespace warplint
