#include "fixes/arithmetic.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;

namespace warplint {

uint64_t mixed(uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9e3779b97f4a7c15u ^ (b + 0x632be59bd9b4e019u);
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

uint64_t mixed(StringRef text) {
  uint64_t x = text.size();
  for (char c : text)
    x = mixed(x, uint8_t(c));
  return x;
}

uint64_t realOf(uint64_t number, unsigned bits) {
  const uint64_t sign = number >> 63;
  const bool isSmall = number >> 62 & 1;
  if (bits == 32)
    return sign << 31 | uint64_t(isSmall ? 126 : 127) << 23 |
           (number & 0x7fffff);
  return sign << 63 | uint64_t(isSmall ? 1022 : 1023) << 52 |
         (number & 0xfffffffffffff);
}

namespace {

uint64_t masked(uint64_t value, unsigned bits) {
  return bits < 64 ? value & ((uint64_t(1) << bits) - 1) : value;
}

template <typename Real> Real real(uint64_t bits) {
  if constexpr (sizeof(Real) == 4)
    return llvm::bit_cast<float>(uint32_t(bits));
  else
    return llvm::bit_cast<double>(bits);
}

/// All values that are not numbers are one.
template <typename Real> uint64_t bitsOf(Real value) {
  if (std::isnan(value))
    return sizeof(Real) == 4 ? 0x7fffffffu : 0x7ff8000000000000u;
  if constexpr (sizeof(Real) == 4)
    return llvm::bit_cast<uint32_t>(value);
  else
    return llvm::bit_cast<uint64_t>(value);
}

template <typename Real>
uint64_t realBinary(unsigned opcode, uint64_t a, uint64_t b) {
  const Real x = real<Real>(a), y = real<Real>(b);
  switch (opcode) {
  case Instruction::FAdd:
    return bitsOf<Real>(x + y);
  case Instruction::FSub:
    return bitsOf<Real>(x - y);
  case Instruction::FMul:
    return bitsOf<Real>(x * y);
  case Instruction::FDiv:
    return bitsOf<Real>(x / y);
  default:
    return bitsOf<Real>(std::fmod(x, y));
  }
}

/// A quotient by 0 has all bits set, as on the GPU.
std::optional<uint64_t> numberBinary(unsigned opcode, uint64_t a, uint64_t b,
                                     unsigned bits) {
  const int64_t x = SignExtend64(a, bits), y = SignExtend64(b, bits);
  switch (opcode) {
  case Instruction::Add:
    return a + b;
  case Instruction::Sub:
    return a - b;
  case Instruction::Mul:
    return a * b;
  case Instruction::UDiv:
    return b ? a / b : ~uint64_t(0);
  case Instruction::URem:
    return b ? a % b : a;
  case Instruction::SDiv:
    return !y ? ~uint64_t(0) : y == -1 ? -a : uint64_t(x / y);
  case Instruction::SRem:
    return !y ? a : y == -1 ? 0 : uint64_t(x % y);
  case Instruction::Shl:
    return b < bits ? a << b : 0;
  case Instruction::LShr:
    return b < bits ? a >> b : 0;
  case Instruction::AShr:
    return uint64_t(x >> std::min<uint64_t>(b, bits - 1));
  case Instruction::And:
    return a & b;
  case Instruction::Or:
    return a | b;
  case Instruction::Xor:
    return a ^ b;
  default:
    return std::nullopt;
  }
}

bool compareNumbers(CmpInst::Predicate how, uint64_t a, uint64_t b,
                    unsigned bits) {
  return ICmpInst::compare(APInt(bits, masked(a, bits)),
                           APInt(bits, masked(b, bits)), how);
}

bool compareReals(CmpInst::Predicate how, double a, double b) {
  const bool isUnordered = std::isnan(a) || std::isnan(b);
  // The bits of the predicate: equal, greater, less, unordered.
  const unsigned bits = isUnordered ? 8 : a == b ? 1 : a > b ? 2 : 4;
  return unsigned(how) & bits;
}

bool isReal(const Type &type) {
  return type.getScalarType()->isFloatTy() ||
         type.getScalarType()->isDoubleTy();
}

double asDouble(uint64_t bits, const Type &type) {
  return type.getScalarType()->isFloatTy() ? double(real<float>(bits))
                                           : real<double>(bits);
}

/// Rounds once, since the value is exact in a double.
uint64_t fromNumber(uint64_t value, bool isSigned, const Type &to) {
  if (to.getScalarType()->isFloatTy())
    return isSigned ? bitsOf(float(int64_t(value))) : bitsOf(float(value));
  return isSigned ? bitsOf(double(int64_t(value))) : bitsOf(double(value));
}

uint64_t toNumber(double value, bool isSigned, unsigned bits) {
  if (std::isnan(value))
    return 0;
  const double least = isSigned ? -std::ldexp(1.0, bits - 1) : 0;
  const double most = std::ldexp(1.0, isSigned ? bits - 1 : bits);
  if (value <= least)
    return masked(isSigned ? uint64_t(1) << (bits - 1) : 0, bits);
  if (value >= most)
    return isSigned ? (uint64_t(1) << (bits - 1)) - 1 : masked(~0ull, bits);
  return masked(isSigned ? uint64_t(int64_t(value)) : uint64_t(value), bits);
}

/// For a type that is not computed with: some function of the operands.
uint64_t opaque(const Step &step, ArrayRef<Lanes> operands, unsigned lane) {
  uint64_t x = step.instruction->getOpcode();
  for (const Lanes &operand : operands)
    x = mixed(x, operand[lane]);
  const Type &type = *step.instruction->getType();
  return isReal(type) ? realOf(x, step.bits) : masked(x, step.bits);
}

uint64_t cast(const Step &step, uint64_t value) {
  const Type &from = *step.instruction->getOperand(0)->getType(),
             &to = *step.instruction->getType();
  const unsigned fromBits = elementBits(from);
  switch (step.instruction->getOpcode()) {
  case Instruction::SExt:
    return masked(SignExtend64(value, fromBits), step.bits);
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    if (!isReal(from) || !isReal(to))
      return opaque(step, {Lanes{value}}, 0);
    return to.getScalarType()->isFloatTy()
               ? bitsOf(float(asDouble(value, from)))
               : bitsOf(asDouble(value, from));
  case Instruction::SIToFP:
  case Instruction::UIToFP: {
    const bool isSigned = step.instruction->getOpcode() == Instruction::SIToFP;
    return isReal(to)
               ? fromNumber(isSigned ? SignExtend64(value, fromBits) : value,
                            isSigned, to)
               : opaque(step, {Lanes{value}}, 0);
  }
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return isReal(from)
               ? toNumber(asDouble(value, from),
                          step.instruction->getOpcode() == Instruction::FPToSI,
                          step.bits)
               : opaque(step, {Lanes{value}}, 0);
  default: // of numbers and addresses; bits keep their value
    return masked(value, step.bits);
  }
}

/// Between vectors of other widths: through the bits in memory.
Lanes bitcast(const Step &step, const Lanes &value) {
  const Type &from = *step.instruction->getOperand(0)->getType(),
             &to = *step.instruction->getType();
  const unsigned fromBits = elementBits(from), toBits = elementBits(to);
  if (fromBits == toBits)
    return value;
  APInt all(256, 0);
  for (unsigned i = 0; i < lanesOf(from); ++i)
    all.insertBits(APInt(fromBits, masked(value[i], fromBits)), i * fromBits);
  Lanes result{};
  for (unsigned i = 0; i < lanesOf(to); ++i)
    result[i] = all.extractBitsAsZExtValue(toBits, i * toBits);
  return result;
}

} // namespace

std::optional<Lanes> computed(const Step &step, ArrayRef<Lanes> operands) {
  const Instruction &instruction = *step.instruction;
  const unsigned opcode = instruction.getOpcode();
  const unsigned lanes = lanesOf(*instruction.getType());
  Lanes result{};
  if (instruction.isBinaryOp()) {
    for (unsigned i = 0; i < lanes; ++i) {
      const uint64_t a = operands[0][i], b = operands[1][i];
      const Type &type = *instruction.getType();
      if (type.getScalarType()->isFloatTy())
        result[i] = realBinary<float>(opcode, a, b);
      else if (type.getScalarType()->isDoubleTy())
        result[i] = realBinary<double>(opcode, a, b);
      else if (auto number = numberBinary(opcode, a, b, step.bits))
        result[i] = masked(*number, step.bits);
      else
        result[i] = opaque(step, operands, i);
    }
    return result;
  }
  if (const auto *compare = dyn_cast<CmpInst>(&instruction)) {
    const Type &type = *compare->getOperand(0)->getType();
    for (unsigned i = 0; i < lanes; ++i) {
      const uint64_t a = operands[0][i], b = operands[1][i];
      if (isa<ICmpInst>(compare))
        result[i] =
            compareNumbers(compare->getPredicate(), a, b, elementBits(type));
      else if (isReal(type))
        result[i] = compareReals(compare->getPredicate(), asDouble(a, type),
                                 asDouble(b, type));
      else
        result[i] = mixed(mixed(a, b), compare->getPredicate()) & 1;
    }
    return result;
  }
  switch (opcode) {
  case Instruction::FNeg:
    for (unsigned i = 0; i < lanes; ++i)
      result[i] = operands[0][i] ^ uint64_t(1) << (step.bits - 1);
    return result;
  case Instruction::Select:
    return operands[0][0] & 1 ? operands[1] : operands[2];
  case Instruction::Freeze:
    return operands[0];
  case Instruction::BitCast:
    return bitcast(step, operands[0]);
  case Instruction::ExtractElement:
    result[0] = operands[0][operands[1][0] & 3];
    return result;
  case Instruction::InsertElement:
    result = operands[0];
    result[operands[2][0] & 3] = operands[1][0];
    return result;
  case Instruction::ExtractValue: {
    const auto &extract = *llvm::cast<ExtractValueInst>(&instruction);
    result[0] = operands[0][extract.getIndices().front() & 3];
    return result;
  }
  case Instruction::InsertValue: {
    const auto &insert = *llvm::cast<InsertValueInst>(&instruction);
    result = operands[0];
    result[insert.getIndices().front() & 3] = operands[1][0];
    return result;
  }
  default:
    break;
  }
  if (instruction.isCast()) {
    for (unsigned i = 0; i < lanes; ++i)
      result[i] = cast(step, operands[0][i]);
    return result;
  }
  return std::nullopt;
}

namespace {

template <typename Real>
std::optional<uint64_t> realCall(Intrinsic::ID id, ArrayRef<Lanes> operands,
                                 unsigned lane) {
  auto at = [&](unsigned i) { return real<Real>(operands[i][lane]); };
  switch (id) {
  case Intrinsic::fma:
    return bitsOf<Real>(std::fma(at(0), at(1), at(2)));
  case Intrinsic::fabs:
    return bitsOf<Real>(std::fabs(at(0)));
  case Intrinsic::minnum:
    return bitsOf<Real>(std::fmin(at(0), at(1)));
  case Intrinsic::maxnum:
    return bitsOf<Real>(std::fmax(at(0), at(1)));
  case Intrinsic::floor:
    return bitsOf<Real>(std::floor(at(0)));
  case Intrinsic::ceil:
    return bitsOf<Real>(std::ceil(at(0)));
  case Intrinsic::trunc:
    return bitsOf<Real>(std::trunc(at(0)));
  case Intrinsic::roundeven:
    return bitsOf<Real>(std::nearbyint(at(0)));
  case Intrinsic::copysign:
    return bitsOf<Real>(std::copysign(at(0), at(1)));
  case Intrinsic::sqrt:
    return bitsOf<Real>(std::sqrt(at(0)));
  case Intrinsic::nvvm_rsqrt_approx_f:
  case Intrinsic::nvvm_rsqrt_approx_d:
    return bitsOf<Real>(1 / std::sqrt(at(0)));
  case Intrinsic::exp2:
    return bitsOf<Real>(std::exp2(at(0)));
  case Intrinsic::log2:
    return bitsOf<Real>(std::log2(at(0)));
  case Intrinsic::sin:
    return bitsOf<Real>(std::sin(at(0)));
  case Intrinsic::cos:
    return bitsOf<Real>(std::cos(at(0)));
  case Intrinsic::tanh:
    return bitsOf<Real>(std::tanh(at(0)));
  default:
    return std::nullopt;
  }
}

std::optional<uint64_t> numberCall(Intrinsic::ID id, ArrayRef<Lanes> operands,
                                   unsigned lane, unsigned bits) {
  auto at = [&](unsigned i) { return masked(operands[i][lane], bits); };
  auto signedAt = [&](unsigned i) { return SignExtend64(at(i), bits); };
  switch (id) {
  case Intrinsic::smin:
    return std::min(signedAt(0), signedAt(1));
  case Intrinsic::smax:
    return std::max(signedAt(0), signedAt(1));
  case Intrinsic::umin:
    return std::min(at(0), at(1));
  case Intrinsic::umax:
    return std::max(at(0), at(1));
  case Intrinsic::abs:
    return signedAt(0) < 0 ? -at(0) : at(0);
  case Intrinsic::ctpop:
    return popcount(at(0));
  case Intrinsic::ctlz:
    return APInt(bits, at(0)).countl_zero();
  case Intrinsic::bitreverse:
    return APInt(bits, at(0)).reverseBits().getZExtValue();
  case Intrinsic::fshl:
  case Intrinsic::fshr: {
    const APInt both = APInt(bits, at(0)).concat(APInt(bits, at(1)));
    const unsigned amount = at(2) % bits;
    return id == Intrinsic::fshl
               ? both.shl(amount).lshr(bits).trunc(bits).getZExtValue()
               : both.lshr(amount).trunc(bits).getZExtValue();
  }
  default:
    return std::nullopt;
  }
}

} // namespace

Lanes called(const Step &step, ArrayRef<Lanes> operands) {
  const auto &call = *llvm::cast<CallBase>(step.instruction);
  const Type &type = *call.getType();
  const Intrinsic::ID id = call.getCalledFunction()->getIntrinsicID();
  Lanes result{};
  for (unsigned i = 0; i < lanesOf(type) && i < result.size(); ++i) {
    std::optional<uint64_t> value;
    const bool convertsReal =
        (id == Intrinsic::fptosi_sat || id == Intrinsic::fptoui_sat) &&
        isReal(*call.getArgOperand(0)->getType());
    if (convertsReal)
      value =
          toNumber(asDouble(operands[0][i], *call.getArgOperand(0)->getType()),
                   id == Intrinsic::fptosi_sat, step.bits);
    else if (type.getScalarType()->isFloatTy())
      value = realCall<float>(id, operands, i);
    else if (type.getScalarType()->isDoubleTy())
      value = realCall<double>(id, operands, i);
    else if (type.getScalarType()->isIntegerTy())
      value = numberCall(id, operands, i, step.bits);
    if (!value) {
      uint64_t x = mixed(mixed(call.getCalledFunction()->getName()), i);
      for (const Lanes &operand : operands)
        for (uint64_t each : operand)
          x = mixed(x, each);
      value = isReal(type) ? realOf(x, step.bits) : x;
    }
    result[i] = type.isStructTy() ? *value : masked(*value, step.bits);
  }
  return result;
}

uint64_t updated(const AtomicRMWInst &atomic, uint64_t old, uint64_t operand,
                 unsigned bits) {
  switch (atomic.getOperation()) {
  case AtomicRMWInst::Xchg:
    return operand;
  case AtomicRMWInst::Add:
    return old + operand;
  case AtomicRMWInst::FAdd:
    if (atomic.getType()->isFloatTy())
      return llvm::bit_cast<uint32_t>(llvm::bit_cast<float>(uint32_t(old)) +
                                      llvm::bit_cast<float>(uint32_t(operand)));
    if (atomic.getType()->isDoubleTy())
      return llvm::bit_cast<uint64_t>(llvm::bit_cast<double>(old) +
                                      llvm::bit_cast<double>(operand));
    return mixed(old, operand);
  case AtomicRMWInst::And:
    return old & operand;
  case AtomicRMWInst::Or:
    return old | operand;
  case AtomicRMWInst::Xor:
    return old ^ operand;
  case AtomicRMWInst::UMin:
    return std::min(old, operand);
  case AtomicRMWInst::UMax:
    return std::max(old, operand);
  case AtomicRMWInst::Min:
    return SignExtend64(old, bits) < SignExtend64(operand, bits) ? old
                                                                 : operand;
  case AtomicRMWInst::Max:
    return SignExtend64(old, bits) > SignExtend64(operand, bits) ? old
                                                                 : operand;
  default:
    return mixed(mixed(old, operand), atomic.getOperation());
  }
}

} // namespace warplint
