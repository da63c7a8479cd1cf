// Lowers shifts, bit fields, lop3, prmt and dot products of bytes: exact.
#include "ptx/ptx_lowering.h"
#include "llvm/IR/Intrinsics.h"

using llvm::Value;

namespace warplint::ptx {

/// Malformed text may say `shl.f32`.
static bool isOfInteger(const Opcode &op) {
  return !op.types.empty() && !op.types.back().isFloat() &&
         op.types.back().lanes == 1;
}

void Lowering::lowerBits(const Statement &s, const Opcode &op) {
  if (!isOfInteger(op) || !expectOperands(s, 2))
    return lowerUnknown(s, op);
  Type type = op.types.back();
  if (op.name == "prmt" || op.name == "fns") {
    if (!expectOperands(s, 4))
      return;
    std::string name = "llvm.nvvm." + op.name.str();
    // `prmt.b32.f4e`
    if (op.name == "prmt" && op.modifiers.size() > 1)
      name += ("." + op.modifier(1)).str();
    Value *result = intrinsic(name, {read(s.operands[1], integer(32)),
                                     read(s.operands[2], integer(32)),
                                     read(s.operands[3], integer(32))});
    return result ? write(s.operands[0], result) : lowerUnknown(s, op);
  }
  Value *a = read(s.operands[1], type), *result = nullptr;
  llvm::Type *word = integer(32);
  if (op.name == "brev") {
    result = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, a);
  } else if (op.name == "popc") {
    result = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, a);
    result = builder_.CreateIntCast(result, word, false);
  } else {
    // bfind.s32 finds the highest bit that differs from the sign.
    if (op.name == "bfind" && type.isSigned())
      a = builder_.CreateXor(a, builder_.CreateAShr(a, type.bits - 1));
    Value *zeros = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, a,
                                                  builder_.getFalse());
    result = builder_.CreateIntCast(zeros, word, false);
    if (op.name == "bfind") {
      if (!op.has("shiftamt"))
        result = builder_.CreateSub(i32(type.bits - 1), result);
      result = builder_.CreateSelect(builder_.CreateIsNull(a),
                                     llvm::ConstantInt::getAllOnesValue(word),
                                     result);
    }
  }
  write(s.operands[0], result);
}

/// PTX allows any shift amount: beyond the width, the result is 0 or the sign.
Value *Lowering::shift(llvm::Instruction::BinaryOps kind, Value *value,
                       Value *amount) {
  unsigned bits = value->getType()->getIntegerBitWidth();
  bool isArithmetic = kind == llvm::Instruction::AShr;
  if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(amount)) {
    uint64_t n = constant->getZExtValue();
    if (n >= bits && !isArithmetic)
      return llvm::Constant::getNullValue(value->getType());
    n = std::min<uint64_t>(n, bits - 1);
    return builder_.CreateBinOp(kind, value,
                                llvm::ConstantInt::get(value->getType(), n));
  }
  Value *fits = builder_.CreateICmpULT(
      amount, llvm::ConstantInt::get(amount->getType(), bits));
  Value *most = llvm::ConstantInt::get(amount->getType(), bits - 1);
  if (isArithmetic)
    amount = builder_.CreateSelect(fits, amount, most);
  Value *shifted = builder_.CreateBinOp(
      kind, value, builder_.CreateIntCast(amount, value->getType(), false));
  if (isArithmetic)
    return shifted;
  return builder_.CreateSelect(fits, shifted,
                               llvm::Constant::getNullValue(value->getType()));
}

void Lowering::lowerShift(const Statement &s, const Opcode &op) {
  if (!isOfInteger(op))
    return lowerUnknown(s, op);
  if (!expectOperands(s, 3))
    return;
  Type type = op.types.back();
  Value *value = read(s.operands[1], type);
  Value *amount = read(s.operands[2], integer(32));
  auto kind = op.name == "shl"  ? llvm::Instruction::Shl
              : type.isSigned() ? llvm::Instruction::AShr
                                : llvm::Instruction::LShr;
  write(s.operands[0], shift(kind, value, amount), type.isSigned());
}

/// shf.l and shf.r shift the pair b:a by c, modulo 32 or at most 32.
void Lowering::lowerFunnel(const Statement &s, const Opcode &op) {
  if (!expectOperands(s, 4))
    return;
  Value *low = read(s.operands[1], integer(32));
  Value *high = read(s.operands[2], integer(32));
  Value *amount = read(s.operands[3], integer(32));
  bool isLeft = op.has("l");
  if (!op.has("clamp"))
    return write(s.operands[0],
                 builder_.CreateIntrinsic(isLeft ? llvm::Intrinsic::fshl
                                                 : llvm::Intrinsic::fshr,
                                          {integer(32)}, {high, low, amount}));
  llvm::Type *wide = integer(64);
  Value *pair =
      builder_.CreateOr(builder_.CreateShl(builder_.CreateZExt(high, wide), 32),
                        builder_.CreateZExt(low, wide));
  amount = builder_.CreateZExt(
      builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, amount, i32(32)),
      wide);
  pair = isLeft ? builder_.CreateLShr(builder_.CreateShl(pair, amount), 32)
                : builder_.CreateLShr(pair, amount);
  write(s.operands[0], builder_.CreateTrunc(pair, integer(32)));
}

/// Returns `length` ones in the lowest bits.
Value *Lowering::lowMask(llvm::Type *type, Value *length) {
  Value *ones = llvm::Constant::getAllOnesValue(type);
  return builder_.CreateNot(shift(llvm::Instruction::Shl, ones, length));
}

/// bmsk makes a mask of b bits from bit a on; szext extends the low b bits of
/// a.
void Lowering::lowerBitMask(const Statement &s, const Opcode &op) {
  if (!isOfInteger(op))
    return lowerUnknown(s, op);
  if (!expectOperands(s, 3))
    return;
  Value *a = read(s.operands[1], integer(32));
  Value *length = read(s.operands[2], integer(32));
  bool wraps = op.has("wrap");
  if (wraps)
    length = builder_.CreateAnd(length, 31);
  using Binary = llvm::Instruction;
  if (op.name == "bmsk")
    return write(s.operands[0], shift(Binary::Shl, lowMask(integer(32), length),
                                      wraps ? builder_.CreateAnd(a, 31) : a));
  if (!op.types.back().isSigned())
    return write(s.operands[0],
                 builder_.CreateAnd(a, lowMask(integer(32), length)));
  Value *above = builder_.CreateSub(
      i32(32),
      builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, length, i32(32)));
  write(s.operands[0], shift(Binary::AShr, shift(Binary::Shl, a, above), above),
        true);
}

void Lowering::lowerBitField(const Statement &s, const Opcode &op) {
  bool isInsert = op.name == "bfi";
  if (!isOfInteger(op))
    return lowerUnknown(s, op);
  if (!expectOperands(s, isInsert ? 5 : 4))
    return;
  Type type = op.types.back();
  size_t at = isInsert ? 3 : 2;
  auto byte = [&](const Operand &o) {
    return builder_.CreateAnd(read(o, integer(32)), 255);
  };
  Value *position = byte(s.operands[at]), *length = byte(s.operands[at + 1]);
  Value *a = read(s.operands[1], type);
  using Binary = llvm::Instruction;
  if (isInsert) {
    Value *mask = shift(Binary::Shl, lowMask(ir(type), length), position);
    Value *moved = shift(Binary::Shl, a, position);
    Value *kept =
        builder_.CreateAnd(read(s.operands[2], type), builder_.CreateNot(mask));
    return write(s.operands[0],
                 builder_.CreateOr(kept, builder_.CreateAnd(moved, mask)));
  }
  Value *mask = lowMask(ir(type), length);
  if (!type.isSigned())
    return write(s.operands[0],
                 builder_.CreateAnd(shift(Binary::LShr, a, position), mask));
  // The sign is the field's highest bit, or a's sign bit if the field extends
  // beyond it.
  Value *field = builder_.CreateAnd(shift(Binary::AShr, a, position), mask);
  Value *last = builder_.CreateBinaryIntrinsic(
      llvm::Intrinsic::umin,
      builder_.CreateSub(builder_.CreateAdd(position, length), i32(1)),
      i32(type.bits - 1));
  Value *sign = builder_.CreateTrunc(
      builder_.CreateLShr(a, builder_.CreateIntCast(last, ir(type), false)),
      builder_.getInt1Ty());
  Value *isEmpty = builder_.CreateIsNull(length);
  sign = builder_.CreateAnd(sign, builder_.CreateNot(isEmpty));
  Value *extended = builder_.CreateOr(field, builder_.CreateNot(mask));
  write(s.operands[0], builder_.CreateSelect(sign, extended, field), true);
}

/// Lowers any function of the inputs' bits: splits its table of 2^n results by
/// the first input into two smaller ones until they are constant or
/// complements.
Value *Lowering::logic3(unsigned table, llvm::ArrayRef<Value *> inputs) {
  llvm::Type *type = integer(32);
  unsigned size = 1u << inputs.size();
  unsigned all = (1u << size) - 1;
  table &= all;
  if (table == 0)
    return llvm::Constant::getNullValue(type);
  if (table == all)
    return llvm::Constant::getAllOnesValue(type);
  unsigned half = size / 2, ones = (1u << half) - 1;
  unsigned low = table & ones, high = table >> half;
  Value *a = inputs.front();
  llvm::ArrayRef<Value *> rest = inputs.drop_front();
  if (low == high)
    return logic3(low, rest);
  if (low == (~high & ones))
    return low == 0      ? a
           : low == ones ? builder_.CreateNot(a)
                         : builder_.CreateXor(a, logic3(low, rest));
  if (low == 0)
    return builder_.CreateAnd(a, logic3(high, rest));
  if (high == ones)
    return builder_.CreateOr(a, logic3(low, rest));
  if (high == 0)
    return builder_.CreateAnd(builder_.CreateNot(a), logic3(low, rest));
  if (low == ones)
    return builder_.CreateOr(builder_.CreateNot(a), logic3(high, rest));
  return builder_.CreateOr(
      builder_.CreateAnd(a, logic3(high, rest)),
      builder_.CreateAnd(builder_.CreateNot(a), logic3(low, rest)));
}

void Lowering::lowerLogic3(const Statement &s, const Opcode &op) {
  bool isPlain = s.operands.size() == 5 && op.modifiers.size() == 1 &&
                 s.operands[4].kind == Operand::Integer;
  if (!isPlain)
    return lowerUnknown(s, op);
  Value *inputs[] = {read(s.operands[1], integer(32)),
                     read(s.operands[2], integer(32)),
                     read(s.operands[3], integer(32))};
  write(s.operands[0], logic3(s.operands[4].value & 0xFF, inputs));
}

/// dp4a: adds four products of bytes to c. dp2a: multiplies two halves of a by
/// the lower or upper two bytes of b.
void Lowering::lowerDot(const Statement &s, const Opcode &op) {
  if (op.types.size() != 2)
    return lowerUnknown(s, op);
  if (!expectOperands(s, 4))
    return;
  unsigned terms = op.name == "dp4a" ? 4 : 2;
  Value *a = read(s.operands[1], integer(32));
  Value *b = read(s.operands[2], integer(32));
  Value *sum = read(s.operands[3], integer(32));
  auto part = [&](Value *from, unsigned at, unsigned bits, Type type) {
    Value *piece =
        builder_.CreateTrunc(builder_.CreateLShr(from, at), integer(bits));
    return builder_.CreateIntCast(piece, integer(32), type.isSigned());
  };
  unsigned bitsOfA = 32 / terms, skipped = op.has("hi") ? 16 : 0;
  for (unsigned i = 0; i < terms; ++i)
    sum = builder_.CreateAdd(
        sum, builder_.CreateMul(part(a, i * bitsOfA, bitsOfA, op.types[0]),
                                part(b, skipped + i * 8, 8, op.types[1])));
  write(s.operands[0], sum);
}

} // namespace warplint::ptx
