// Arithmetic. Integers and predicates are exact; floats are IR's own
// operations, since no check asks for their rounding.
#include "compiled/ptx_lowering.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"

using llvm::StringRef;
using llvm::Value;

namespace warplint::ptx {

static unsigned widthOf(Type type) { return type.bits * type.lanes; }

/// Modifiers that change a float's result beyond rounding.
static bool isPeculiar(const Opcode &op) {
  return op.has("relu") || op.has("xorsign") || op.has("oob");
}

Value *Lowering::saturate(const Opcode &op, Value *value) {
  if (!op.has("sat") || !value->getType()->isFPOrFPVectorTy())
    return value;
  llvm::Type *type = value->getType();
  value = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::maxnum, value,
                                         llvm::ConstantFP::get(type, 0.0));
  return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::minnum, value,
                                        llvm::ConstantFP::get(type, 1.0));
}

void Lowering::lowerMove(const Statement &s, const Opcode &op) {
  if (op.types.empty())
    return lowerUnknown(s, op);
  if (!expectOperands(s, 2))
    return;
  Type type = op.types.back();
  const Operand &to = s.operands[0], &from = s.operands[1];
  // `mov.v2.u32 {a, b}, {c, d}` moves each of them.
  if (op.vector > 1 && to.kind == Operand::List && from.kind == Operand::List &&
      to.parts.size() == from.parts.size()) {
    llvm::SmallVector<Value *, 8> values; // both sides may name the same ones
    for (const Operand &o : from.parts)
      values.push_back(read(o, integer(widthOf(type))));
    for (auto [o, value] : llvm::zip(to.parts, values))
      write(o, value);
    return;
  }
  // As bits, since a float's register may be named in either way.
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

/// add, sub, and the links of longer numbers: add.cc, addc, sub.cc, subc. The
/// machine subtracts by adding the complement, so that its carry flag is the
/// opposite of a borrow.
void Lowering::lowerAdd(const Statement &s, const Opcode &op) {
  if (op.types.empty() || isPeculiar(op))
    return lowerUnknown(s, op);
  if (!expectOperands(s, 3))
    return;
  Type type = op.types.front();
  bool isSub = op.name.starts_with("sub");
  Value *a = read(s.operands[1], type);
  // Mixed precision: `add.f32.f16` reads its first source narrow.
  if (type.isFloat() && op.types.size() > 1 && op.types[1].bits < type.bits)
    a = builder_.CreateFPCast(read(s.operands[1], op.types[1]), ir(type));
  Value *b = read(s.operands[2], type);
  if (type.isFloat()) {
    Value *sum = isSub ? builder_.CreateFSub(a, b) : builder_.CreateFAdd(a, b);
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

/// The product that .lo, .hi or .wide asks for. Wide values stay within 64
/// bits: the high half of a 64-bit product is an intrinsic.
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
  if (op.types.empty() || isPeculiar(op))
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
  write(s.operands[0], builder_.CreateBinOp(kind, a, b), type.isSigned());
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
  // Pairs of 16-bit integers have no type here.
  if (op.types.empty() || isPeculiar(op) || op.has("u16x2") || op.has("s16x2"))
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

void Lowering::lowerBits(const Statement &s, const Opcode &op) {
  if (op.types.empty() || !expectOperands(s, 2))
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
    // bfind.s32 looks for the highest bit that differs from the sign.
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

/// PTX shifts by any amount: beyond the width nothing, or only signs, are left.
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
  if (op.types.empty())
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

/// `length` ones in the lowest bits.
Value *Lowering::lowMask(llvm::Type *type, Value *length) {
  Value *ones = llvm::Constant::getAllOnesValue(type);
  return builder_.CreateNot(shift(llvm::Instruction::Shl, ones, length));
}

/// bmsk makes a mask of b bits from bit a on; szext extends the low b bits of
/// a.
void Lowering::lowerBitMask(const Statement &s, const Opcode &op) {
  if (op.types.empty())
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
  if (op.types.empty())
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
  // The sign is the field's highest bit, or a's own if the field reaches out.
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

/// Any function of the inputs' bits: its table of 2^n results is split by the
/// first input into two smaller ones, until they are constant or each other's
/// complement.
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

/// dp4a: four products of bytes, added to c. dp2a: two halves of a times two
/// bytes of b, the lower or the upper ones.
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

/// `setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3;` and `set`, whose result is a
/// number. The second predicate is what the negated comparison gives.
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

/// selp chooses by a predicate, slct by the sign of a number.
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

/// Limits an integer to what `to` can hold, before it is cut.
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
    // Between half and bfloat the way leads over float.
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
  if (op.types.size() != 2 || op.has("pack") || isPeculiar(op) ||
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

/// An address is the same number in every space; the instruction that uses it
/// says which space is meant.
void Lowering::lowerAddressConvert(const Statement &s, const Opcode &op) {
  if (!expectOperands(s, 2))
    return;
  if (op.name == "cvta") {
    if (op.types.empty())
      return lowerUnknown(s, op);
    return write(s.operands[0], read(s.operands[1], op.types.back()));
  }
  std::string name = ("llvm.nvvm.isspacep." + op.modifier(0)).str();
  if (size_t at = name.find("::"); at != std::string::npos)
    name.replace(at, std::string::npos,
                 name.ends_with("cluster") ? ".cluster" : "");
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
                .Cases({"sqrt", "rsqrt"}, llvm::Intrinsic::sqrt)
                .Case("sin", llvm::Intrinsic::sin)
                .Case("cos", llvm::Intrinsic::cos)
                .Case("ex2", llvm::Intrinsic::exp2)
                .Case("lg2", llvm::Intrinsic::log2)
                .Case("tanh", llvm::Intrinsic::tanh)
                .Default(llvm::Intrinsic::not_intrinsic);
  Value *value = read(s.operands[1], type);
  if (id)
    value = builder_.CreateUnaryIntrinsic(id, value);
  if (op.name == "rcp" || op.name == "rsqrt")
    value = builder_.CreateFDiv(llvm::ConstantFP::get(ir(type), 1.0), value);
  write(s.operands[0], value);
}

} // namespace warplint::ptx
