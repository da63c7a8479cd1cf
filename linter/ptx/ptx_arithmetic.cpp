// Lowers moves and arithmetic. Integers and predicates are exact; floats use
// IR's operations, since no check depends on their rounding.
#include "ir/name_operations.h"
#include "ptx/ptx_lowering.h"
#include "llvm/IR/Intrinsics.h"

using llvm::Value;

namespace warplint::ptx {

static unsigned widthOf(Type type) { return type.bits * type.lanes; }

Value *Lowering::saturate(const Opcode &op, Value *value) {
  if (!op.has("sat") || !value->getType()->isFPOrFPVectorTy())
    return value;
  llvm::Type *type = value->getType();
  value = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::maxnum, value,
                                         llvm::ConstantFP::get(type, 0.0));
  return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::minnum, value,
                                        llvm::ConstantFP::get(type, 1.0));
}

/// ptxas may fuse a product and a sum whose rounding the text leaves open.
void Lowering::allowFusing(const Opcode &op, Value *value) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (instruction && !op.has("rn") && !op.has("rz") && !op.has("rm") &&
      !op.has("rp"))
    instruction->setHasAllowContract(true);
}

/// Marks the short form of a division or function.
void Lowering::markApproximate(const Opcode &op, Value *value) {
  if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
      instruction && (op.has("approx") || op.has("full")))
    instruction->setMetadata(approximate, llvm::MDNode::get(context_, {}));
}

void Lowering::lowerMove(const Statement &s, const Opcode &op) {
  if (op.types.empty())
    return lowerUnknown(s, op);
  if (!expectOperands(s, 2))
    return;
  Type type = op.types.back();
  const Operand &to = s.operands[0], &from = s.operands[1];
  // `mov.v2.u32 {a, b}, {c, d}` moves each element.
  if (op.vector > 1 && to.kind == Operand::List && from.kind == Operand::List &&
      to.parts.size() == from.parts.size()) {
    llvm::SmallVector<Value *, 8>
        values; // both sides may name the same registers
    for (const Operand &o : from.parts)
      values.push_back(read(o, integer(widthOf(type))));
    for (auto [o, value] : llvm::zip(to.parts, values))
      write(o, value);
    return;
  }
  // Compares bits, since a float's register may have either type.
  bool isReal = from.kind == Operand::Real && type.isFloat();
  write(to, read(from, isReal ? ir(type) : integer(widthOf(type))));
}

Value *Lowering::carryIn() {
  if (!carry_) {
    carry_ = slot(builder_.getInt1Ty(), "carry");
    slots_.CreateStore(builder_.getFalse(), carry_);
  }
  return builder_.CreateLoad(builder_.getInt1Ty(), carry_);
}

void Lowering::carryOut(const Opcode &op, Value *carry) {
  if (!op.has("cc"))
    return;
  Value *before = carryIn();
  if (selectGuard_)
    carry = builder_.CreateSelect(selectGuard_, carry, before);
  builder_.CreateStore(carry, carry_);
}

/// Lowers add and sub, also with carry: add.cc, addc, sub.cc, subc. The machine
/// subtracts by adding the complement, so its carry flag is the inverse of a
/// borrow.
void Lowering::lowerAdd(const Statement &s, const Opcode &op) {
  if (op.types.empty() || op.isPeculiar() ||
      op.types.front().lanes != op.types.back().lanes)
    return lowerUnknown(s, op);
  if (!expectOperands(s, 3))
    return;
  Type type = op.types.front();
  bool isSub = op.name.starts_with("sub");
  Value *a = read(s.operands[1], type);
  // Mixed precision: `add.f32.f16` reads a narrow first source.
  if (type.isFloat() && op.types.size() > 1 && op.types[1].bits < type.bits)
    a = builder_.CreateFPCast(read(s.operands[1], op.types[1]), ir(type));
  Value *b = read(s.operands[2], type);
  if (type.isFloat()) {
    Value *sum = isSub ? builder_.CreateFSub(a, b) : builder_.CreateFAdd(a, b);
    allowFusing(op, sum);
    return write(s.operands[0], saturate(op, sum));
  }
  if (op.has("sat"))
    return write(s.operands[0],
                 builder_.CreateBinaryIntrinsic(isSub
                                                    ? llvm::Intrinsic::ssub_sat
                                                    : llvm::Intrinsic::sadd_sat,
                                                a, b),
                 true);
  Value *sum = isSub ? builder_.CreateSub(a, b) : builder_.CreateAdd(a, b);
  Value *carry = nullptr;
  if (op.has("cc"))
    carry =
        isSub ? builder_.CreateICmpUGE(a, b) : builder_.CreateICmpULT(sum, a);
  if (op.name == "addc" || op.name == "subc") {
    Value *flag = isSub ? builder_.CreateNot(carryIn()) : carryIn();
    Value *in = builder_.CreateZExt(flag, ir(type));
    Value *first = sum;
    sum = isSub ? builder_.CreateSub(first, in) : builder_.CreateAdd(first, in);
    if (carry)
      carry =
          isSub ? builder_.CreateAnd(carry, builder_.CreateICmpUGE(first, in))
                : builder_.CreateOr(carry, builder_.CreateICmpULT(sum, first));
  }
  if (carry)
    carryOut(op, carry);
  write(s.operands[0], sum, type.isSigned());
}

/// Returns the product that .lo, .hi or .wide selects. Wide values stay within
/// 64 bits: the high half of a 64-bit product is an intrinsic.
Value *Lowering::multiply(const Opcode &op, Type type, Value *a, Value *b) {
  bool isWide = op.has("wide"), isSigned = type.isSigned();
  if (!isWide && !op.has("hi"))
    return builder_.CreateMul(a, b);
  if (type.bits == 64 && !isWide)
    return intrinsic(isSigned ? "llvm.nvvm.mulhi.ll" : "llvm.nvvm.mulhi.ull",
                     {a, b});
  llvm::Type *wide = integer(type.bits * 2);
  Value *product =
      builder_.CreateMul(builder_.CreateIntCast(a, wide, isSigned),
                         builder_.CreateIntCast(b, wide, isSigned));
  if (isWide)
    return product;
  return builder_.CreateTrunc(builder_.CreateLShr(product, type.bits),
                              ir(type));
}

/// mul, mad, madc and fma.
void Lowering::lowerMultiply(const Statement &s, const Opcode &op) {
  bool hasAddend = op.name != "mul";
  if (op.types.empty() || op.isPeculiar() ||
      op.types.front().lanes != op.types.back().lanes)
    return lowerUnknown(s, op);
  if (!expectOperands(s, hasAddend ? 4 : 3))
    return;
  Type type = op.types.front();
  if (type.isFloat()) {
    Type from = op.types.back();
    Value *a = read(s.operands[1], from), *b = read(s.operands[2], from);
    if (from.bits != type.bits) {
      a = builder_.CreateFPCast(a, ir(type));
      b = builder_.CreateFPCast(b, ir(type));
    }
    Value *result =
        hasAddend ? builder_.CreateIntrinsic(llvm::Intrinsic::fma, {ir(type)},
                                             {a, b, read(s.operands[3], type)})
                  : builder_.CreateFMul(a, b);
    if (!hasAddend)
      allowFusing(op, result);
    return write(s.operands[0], saturate(op, result));
  }
  Value *a = read(s.operands[1], type), *b = read(s.operands[2], type);
  Value *product = multiply(op, type, a, b);
  if (hasAddend) {
    Value *c = read(s.operands[3], product->getType(), type.isSigned());
    Value *sum = nullptr;
    if (op.has("sat")) {
      sum =
          builder_.CreateBinaryIntrinsic(llvm::Intrinsic::sadd_sat, product, c);
    } else {
      sum = builder_.CreateAdd(product, c);
      Value *carry = op.has("cc") ? builder_.CreateICmpULT(sum, c) : nullptr;
      if (op.name == "madc") {
        Value *first = sum;
        sum = builder_.CreateAdd(
            first, builder_.CreateZExt(carryIn(), sum->getType()));
        if (carry)
          carry = builder_.CreateOr(carry, builder_.CreateICmpULT(sum, first));
      }
      if (carry)
        carryOut(op, carry);
    }
    product = sum;
  }
  write(s.operands[0], product, type.isSigned());
}

/// Multiplies the low 24 bits; .hi takes bits 16 to 47 of the 48-bit product.
void Lowering::lowerMultiply24(const Statement &s, const Opcode &op) {
  bool hasAddend = op.name == "mad24";
  if (op.types.empty() || op.has("sat"))
    return lowerUnknown(s, op);
  if (!expectOperands(s, hasAddend ? 4 : 3))
    return;
  bool isSigned = op.types.front().isSigned();
  auto narrow = [&](const Operand &o) {
    Value *bits = builder_.CreateTrunc(read(o, integer(32)), integer(24));
    return builder_.CreateIntCast(bits, integer(64), isSigned);
  };
  Value *product =
      builder_.CreateMul(narrow(s.operands[1]), narrow(s.operands[2]));
  if (op.has("hi"))
    product = builder_.CreateLShr(product, 16);
  product = builder_.CreateTrunc(product, integer(32));
  if (hasAddend)
    product = builder_.CreateAdd(product, read(s.operands[3], integer(32)));
  write(s.operands[0], product, isSigned);
}

void Lowering::lowerDivide(const Statement &s, const Opcode &op) {
  if (op.types.empty())
    return lowerUnknown(s, op);
  if (!expectOperands(s, 3))
    return;
  Type type = op.types.front();
  Value *a = read(s.operands[1], type), *b = read(s.operands[2], type);
  using Binary = llvm::Instruction;
  Binary::BinaryOps kind = type.isFloat() ? Binary::FDiv
                           : op.name == "rem"
                               ? (type.isSigned() ? Binary::SRem : Binary::URem)
                           : type.isSigned() ? Binary::SDiv
                                             : Binary::UDiv;
  Value *result = builder_.CreateBinOp(kind, a, b);
  markApproximate(op, result);
  write(s.operands[0], result, type.isSigned());
}

Value *Lowering::minMax(const Opcode &op, Type type, Value *a, Value *b) {
  bool isMin = op.name == "min";
  llvm::Intrinsic::ID id;
  if (type.isFloat())
    id = op.has("NaN")
             ? (isMin ? llvm::Intrinsic::minimum : llvm::Intrinsic::maximum)
             : (isMin ? llvm::Intrinsic::minnum : llvm::Intrinsic::maxnum);
  else if (type.isSigned())
    id = isMin ? llvm::Intrinsic::smin : llvm::Intrinsic::smax;
  else
    id = isMin ? llvm::Intrinsic::umin : llvm::Intrinsic::umax;
  return builder_.CreateBinaryIntrinsic(id, a, b);
}

void Lowering::lowerBinary(const Statement &s, const Opcode &op) {
  // Pairs of 16-bit integers are not modelled.
  if (op.types.empty() || op.isPeculiar() || op.has("u16x2") || op.has("s16x2"))
    return lowerUnknown(s, op);
  if (!expectOperands(s, op.name == "sad" ? 4 : 3))
    return;
  Type type = op.types.back();
  Value *a = read(s.operands[1], type), *b = read(s.operands[2], type);
  Value *result = nullptr;
  if (op.name == "min" || op.name == "max") {
    result = minMax(op, type, a, b);
    for (size_t i = 3; i < s.operands.size(); ++i) // sm_100 takes three
      result = minMax(op, type, result, read(s.operands[i], type));
  } else if (op.name == "and") {
    result = builder_.CreateAnd(a, b);
  } else if (op.name == "or") {
    result = builder_.CreateOr(a, b);
  } else if (op.name == "xor") {
    result = builder_.CreateXor(a, b);
  } else if (op.name == "copysign") { // the first operand gives the sign
    result = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, b, a);
  } else { // sad: |a - b| + c
    Value *isLess = type.isSigned() ? builder_.CreateICmpSLT(a, b)
                                    : builder_.CreateICmpULT(a, b);
    Value *distance = builder_.CreateSelect(isLess, builder_.CreateSub(b, a),
                                            builder_.CreateSub(a, b));
    result = builder_.CreateAdd(distance, read(s.operands[3], type));
  }
  write(s.operands[0], result, type.isSigned());
}

void Lowering::lowerUnary(const Statement &s, const Opcode &op) {
  if (op.types.empty())
    return lowerUnknown(s, op);
  if (!expectOperands(s, 2))
    return;
  Type type = op.types.back();
  Value *a = read(s.operands[1], type), *result = nullptr;
  if (op.name == "not")
    result = builder_.CreateNot(a);
  else if (op.name == "cnot")
    result = builder_.CreateZExt(builder_.CreateIsNull(a), ir(type));
  else if (op.name == "neg")
    result = type.isFloat() ? builder_.CreateFNeg(a) : builder_.CreateNeg(a);
  else if (type.isFloat())
    result = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, a);
  else
    result = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, a,
                                            builder_.getFalse());
  write(s.operands[0], result, type.isSigned());
}

} // namespace warplint::ptx
