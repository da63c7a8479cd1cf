// Lowers comparisons, selects, conversions, and functions of floats.
#include "ptx/ptx_lowering.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"

using llvm::StringRef;
using llvm::Value;

namespace warplint::ptx {

Value *Lowering::compare(StringRef how, Type type, Value *a, Value *b) {
  using P = llvm::CmpInst;
  if (type.isFloat()) {
    auto predicate = llvm::StringSwitch<P::Predicate>(how)
                         .Case("eq", P::FCMP_OEQ)
                         .Case("ne", P::FCMP_ONE)
                         .Case("lt", P::FCMP_OLT)
                         .Case("le", P::FCMP_OLE)
                         .Case("gt", P::FCMP_OGT)
                         .Case("ge", P::FCMP_OGE)
                         .Case("equ", P::FCMP_UEQ)
                         .Case("neu", P::FCMP_UNE)
                         .Case("ltu", P::FCMP_ULT)
                         .Case("leu", P::FCMP_ULE)
                         .Case("gtu", P::FCMP_UGT)
                         .Case("geu", P::FCMP_UGE)
                         .Case("num", P::FCMP_ORD)
                         .Case("nan", P::FCMP_UNO)
                         .Default(P::BAD_FCMP_PREDICATE);
    return predicate == P::BAD_FCMP_PREDICATE
               ? nullptr
               : builder_.CreateFCmp(predicate, a, b);
  }
  bool isSigned = type.isSigned();
  auto predicate = llvm::StringSwitch<P::Predicate>(how)
                       .Case("eq", P::ICMP_EQ)
                       .Case("ne", P::ICMP_NE)
                       .Case("lt", isSigned ? P::ICMP_SLT : P::ICMP_ULT)
                       .Case("le", isSigned ? P::ICMP_SLE : P::ICMP_ULE)
                       .Case("gt", isSigned ? P::ICMP_SGT : P::ICMP_UGT)
                       .Case("ge", isSigned ? P::ICMP_SGE : P::ICMP_UGE)
                       .Case("lo", P::ICMP_ULT)
                       .Case("ls", P::ICMP_ULE)
                       .Case("hi", P::ICMP_UGT)
                       .Case("hs", P::ICMP_UGE)
                       .Default(P::BAD_ICMP_PREDICATE);
  return predicate == P::BAD_ICMP_PREDICATE
             ? nullptr
             : builder_.CreateICmp(predicate, a, b);
}

/// Lowers `setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3;` and `set`, whose result is
/// a number. The second predicate is the result of the negated comparison.
void Lowering::lowerCompare(const Statement &s, const Opcode &op) {
  bool isNumber = op.name == "set";
  if (op.types.size() < (isNumber ? 2u : 1u) || op.types.back().lanes > 1)
    return lowerUnknown(s, op);
  if (!expectOperands(s, 3))
    return;
  Type type = op.types.back();
  Value *first = compare(op.modifier(0), type, read(s.operands[1], type),
                         read(s.operands[2], type));
  if (!first)
    return lowerUnknown(s, op);
  const Operand &to = s.operands[0];
  Value *second = nullptr;
  if (to.kind == Operand::Pair)
    second = builder_.CreateNot(first);
  if (s.operands.size() > 3) {
    Value *with = readPredicate(s.operands[3]);
    auto kind = op.has("or")    ? llvm::Instruction::Or
                : op.has("xor") ? llvm::Instruction::Xor
                                : llvm::Instruction::And;
    first = builder_.CreateBinOp(kind, first, with);
    if (second)
      second = builder_.CreateBinOp(kind, second, with);
  }
  if (isNumber) {
    Type result = op.types.front();
    first = result.isFloat() ? builder_.CreateUIToFP(first, ir(result))
                             : builder_.CreateSExt(first, ir(result));
    return write(to, first);
  }
  if (second)
    write(to.parts[1], second);
  write(to, first);
}

/// selp selects by a predicate, slct by the sign of a number.
void Lowering::lowerSelect(const Statement &s, const Opcode &op) {
  if (op.types.empty())
    return lowerUnknown(s, op);
  if (!expectOperands(s, 4))
    return;
  Type type = op.types.front();
  Value *isFirst = nullptr;
  if (op.name == "selp") {
    isFirst = readPredicate(s.operands[3]);
  } else {
    Type sign = op.types.back();
    Value *number = read(s.operands[3], sign);
    Value *zero = llvm::Constant::getNullValue(number->getType());
    isFirst = sign.isFloat() ? builder_.CreateFCmpOGE(number, zero)
                             : builder_.CreateICmpSGE(number, zero);
  }
  write(s.operands[0],
        builder_.CreateSelect(isFirst, read(s.operands[1], type),
                              read(s.operands[2], type)),
        type.isSigned());
}

Value *Lowering::roundIntegral(const Opcode &op, Value *value) {
  llvm::Intrinsic::ID id = op.has("rni")   ? llvm::Intrinsic::roundeven
                           : op.has("rmi") ? llvm::Intrinsic::floor
                           : op.has("rpi") ? llvm::Intrinsic::ceil
                           : op.has("rzi") ? llvm::Intrinsic::trunc
                                           : llvm::Intrinsic::not_intrinsic;
  return id ? builder_.CreateUnaryIntrinsic(id, value) : value;
}

/// Clamps an integer to the range of `to` before truncating it.
Value *Lowering::clampInteger(Value *value, Type to, Type from) {
  auto limits = [](Type t) {
    return t.isSigned()
               ? std::pair(llvm::APInt::getSignedMinValue(t.bits).sext(130),
                           llvm::APInt::getSignedMaxValue(t.bits).sext(130))
               : std::pair(llvm::APInt(130, 0),
                           llvm::APInt::getMaxValue(t.bits).zext(130));
  };
  auto [least, most] = limits(to);
  auto [lowest, highest] = limits(from);
  auto constant = [&](const llvm::APInt &n) {
    return llvm::ConstantInt::get(value->getType(), n.trunc(from.bits));
  };
  bool isSigned = from.isSigned();
  if (least.sgt(lowest))
    value = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, value,
                                           constant(least));
  if (most.slt(highest))
    value = builder_.CreateBinaryIntrinsic(isSigned ? llvm::Intrinsic::smin
                                                    : llvm::Intrinsic::umin,
                                           value, constant(most));
  return value;
}

Value *Lowering::convert(const Opcode &op, Value *value, Type to, Type from) {
  llvm::Type *type = ir(to);
  if (from.isFloat() && to.isFloat()) {
    value = roundIntegral(op, value);
    // Conversions between half and bfloat go through float.
    if (from.kind != to.kind && from.bits == to.bits)
      value = builder_.CreateFPExt(value, builder_.getFloatTy());
    return saturate(op, builder_.CreateFPCast(value, type));
  }
  if (from.isFloat()) {
    value = roundIntegral(op, value);
    return builder_.CreateIntrinsic(to.isSigned() ? llvm::Intrinsic::fptosi_sat
                                                  : llvm::Intrinsic::fptoui_sat,
                                    {type, value->getType()}, {value});
  }
  if (to.isFloat()) {
    value = from.isSigned() ? builder_.CreateSIToFP(value, type)
                            : builder_.CreateUIToFP(value, type);
    return saturate(op, value);
  }
  if (op.has("sat"))
    value = clampInteger(value, to, from);
  return builder_.CreateIntCast(value, type, from.isSigned());
}

void Lowering::lowerConvert(const Statement &s, const Opcode &op) {
  if (op.types.size() != 2 || op.has("pack") || op.isPeculiar() ||
      op.types[1].lanes > 1 || op.has("satfinite"))
    return lowerUnknown(s, op);
  Type to = op.types[0], from = op.types[1];
  if (to.lanes == 1) {
    if (!expectOperands(s, 2))
      return;
    Value *value = convert(op, read(s.operands[1], from), to, from);
    return write(s.operands[0], value, to.isSigned());
  }
  // `cvt.rn.f16x2.f32 d, a, b` packs two, b in the lower half.
  if (s.operands.size() != 3)
    return lowerUnknown(s, op);
  Type half = to;
  half.lanes = 1;
  Value *pair = llvm::PoisonValue::get(ir(to));
  for (unsigned lane : {0u, 1u})
    pair = builder_.CreateInsertElement(
        pair, convert(op, read(s.operands[2 - lane], from), half, from), lane);
  write(s.operands[0], pair);
}

/// An address has the same value in every space; the instruction that uses it
/// names the space.
void Lowering::lowerAddressConvert(const Statement &s, const Opcode &op) {
  if (!expectOperands(s, 2))
    return;
  if (op.name == "cvta") {
    if (op.types.empty())
      return lowerUnknown(s, op);
    return write(s.operands[0], read(s.operands[1], op.types.back()));
  }
  // LLVM calls `shared::cta` just `shared`; `shared::cluster` is different.
  StringRef space = op.modifier(0);
  space.consume_back("::cta");
  auto [window, part] = space.split("::");
  std::string name =
      ("llvm.nvvm.isspacep." + window + (part.empty() ? "" : ".") + part).str();
  Value *address = builder_.CreateIntToPtr(read(s.operands[1], integer(64)),
                                           builder_.getPtrTy());
  Value *result = intrinsic(name, {address});
  if (!result)
    return lowerUnknown(s, op);
  write(s.operands[0], result);
}

void Lowering::lowerFloat(const Statement &s, const Opcode &op) {
  if (op.types.empty() || !op.types.back().isFloat())
    return lowerUnknown(s, op);
  if (!expectOperands(s, 2))
    return;
  Type type = op.types.back();
  auto id = llvm::StringSwitch<llvm::Intrinsic::ID>(op.name)
                .Case("sqrt", llvm::Intrinsic::sqrt)
                .Case("sin", llvm::Intrinsic::sin)
                .Case("cos", llvm::Intrinsic::cos)
                .Case("ex2", llvm::Intrinsic::exp2)
                .Case("lg2", llvm::Intrinsic::log2)
                .Case("tanh", llvm::Intrinsic::tanh)
                .Default(llvm::Intrinsic::not_intrinsic);
  Value *value = read(s.operands[1], type);
  if (id)
    value = builder_.CreateUnaryIntrinsic(id, value);
  if (op.name == "rcp")
    value = builder_.CreateFDiv(llvm::ConstantFP::get(ir(type), 1.0), value);
  if (op.name == "rsqrt") {
    Value *root = type.bits == 64 || type.bits == 32
                      ? intrinsic(type.bits == 64 ? "llvm.nvvm.rsqrt.approx.d"
                                                  : "llvm.nvvm.rsqrt.approx.f",
                                  {value})
                      : nullptr;
    value = root ? root
                 : builder_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, value);
  }
  markApproximate(op, value);
  write(s.operands[0], value);
}

} // namespace warplint::ptx
