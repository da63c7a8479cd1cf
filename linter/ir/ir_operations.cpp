#include "ir/ir_operations.h"
#include "llvm/ADT/StringSwitch.h"

namespace warplint {

unsigned bitsOf(const llvm::Type *type) {
  if (type->isPointerTy())
    return 64;
  if (type->isIntegerTy() && type->getIntegerBitWidth() <= 64)
    return type->getIntegerBitWidth();
  return 0;
}

bool isFloatOrDouble(const llvm::Type *type) {
  return type->isFloatTy() || type->isDoubleTy();
}

std::optional<Op> operationOf(unsigned opcode) {
  switch (opcode) {
  case llvm::Instruction::Add:
    return Op::Add;
  case llvm::Instruction::Sub:
    return Op::Subtract;
  case llvm::Instruction::Mul:
    return Op::Multiply;
  case llvm::Instruction::SDiv:
    return Op::DivideSigned;
  case llvm::Instruction::UDiv:
    return Op::DivideUnsigned;
  case llvm::Instruction::SRem:
    return Op::RemainderSigned;
  case llvm::Instruction::URem:
    return Op::RemainderUnsigned;
  case llvm::Instruction::Shl:
    return Op::ShiftLeft;
  case llvm::Instruction::AShr:
    return Op::ShiftRightSigned;
  case llvm::Instruction::LShr:
    return Op::ShiftRightUnsigned;
  case llvm::Instruction::And:
    return Op::And;
  case llvm::Instruction::Or:
    return Op::Or;
  case llvm::Instruction::Xor:
    return Op::Xor;
  default:
    return std::nullopt;
  }
}

IntegerComparison comparisonOf(llvm::CmpInst::Predicate predicate) {
  switch (predicate) {
  case llvm::CmpInst::ICMP_EQ:
    return {Op::Equal, false};
  case llvm::CmpInst::ICMP_NE:
    return {Op::NotEqual, false};
  case llvm::CmpInst::ICMP_SLT:
    return {Op::LessSigned, false};
  case llvm::CmpInst::ICMP_SLE:
    return {Op::LessEqualSigned, false};
  case llvm::CmpInst::ICMP_SGT:
    return {Op::LessSigned, true};
  case llvm::CmpInst::ICMP_SGE:
    return {Op::LessEqualSigned, true};
  case llvm::CmpInst::ICMP_ULT:
    return {Op::LessUnsigned, false};
  case llvm::CmpInst::ICMP_ULE:
    return {Op::LessEqualUnsigned, false};
  case llvm::CmpInst::ICMP_UGT:
    return {Op::LessUnsigned, true};
  default: // ICMP_UGE
    return {Op::LessEqualUnsigned, true};
  }
}

std::string floatOperationOf(const llvm::Instruction &instruction) {
  const llvm::Type *type = instruction.getType();
  const llvm::Type *from = instruction.getNumOperands()
                               ? instruction.getOperand(0)->getType()
                               : type;
  const unsigned bits = isFloatOrDouble(type)   ? type->getScalarSizeInBits()
                        : isFloatOrDouble(from) ? from->getScalarSizeInBits()
                                        : 0;
  std::string name = instruction.getOpcodeName();
  auto isFollowed = [](const llvm::Type *type) {
    return isFloatOrDouble(type) ||
           (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
  };
  if (!bits || !isFollowed(type) || !isFollowed(from))
    return "";
  if (auto *compare = llvm::dyn_cast<llvm::FCmpInst>(&instruction))
    name += " " + compare->getPredicateName(compare->getPredicate()).str();
  else if (llvm::isa<llvm::BitCastInst>(instruction))
    name = isFloatOrDouble(type) ? "frombits" : "tobits";
  else if (!llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator,
                      llvm::CastInst>(instruction))
    return "";
  return name + " " + std::to_string(bits);
}

std::optional<Op> binaryOperationOf(llvm::StringRef function) {
  return llvm::StringSwitch<std::optional<Op>>(function)
      .StartsWith("llvm.smax", Op::MaxSigned)
      .StartsWith("llvm.smin", Op::MinSigned)
      .StartsWith("llvm.umax", Op::MaxUnsigned)
      .StartsWith("llvm.umin", Op::MinUnsigned)
      .Cases({"__nv_max", "__nv_llmax"}, Op::MaxSigned)
      .Cases({"__nv_min", "__nv_llmin"}, Op::MinSigned)
      .Cases({"__nv_umax", "__nv_ullmax"}, Op::MaxUnsigned)
      .Cases({"__nv_umin", "__nv_ullmin"}, Op::MinUnsigned)
      .Cases({"__nv_mulhi", "__nv_mul64hi", "llvm.nvvm.mulhi.i",
              "llvm.nvvm.mulhi.ll"},
             Op::MultiplyHighSigned)
      .Cases({"__nv_umulhi", "__nv_umul64hi", "llvm.nvvm.mulhi.ui",
              "llvm.nvvm.mulhi.ull"},
             Op::MultiplyHighUnsigned)
      .Default(std::nullopt);
}

std::optional<Op> unaryOperationOf(llvm::StringRef function) {
  return llvm::StringSwitch<std::optional<Op>>(function)
      .StartsWith("llvm.abs", Op::Absolute)
      .Cases({"__nv_abs", "__nv_llabs"}, Op::Absolute)
      .StartsWith("llvm.ctpop", Op::CountOnes)
      .Cases({"__nv_popc", "__nv_popcll"}, Op::CountOnes)
      .StartsWith("llvm.ctlz", Op::LeadingZeros)
      .Cases({"__nv_clz", "__nv_clzll"}, Op::LeadingZeros)
      .StartsWith("llvm.bitreverse", Op::ReverseBits)
      .Cases({"__nv_brev", "__nv_brevll"}, Op::ReverseBits)
      .Default(std::nullopt);
}

} // namespace warplint
