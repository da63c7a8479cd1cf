#include "cost/lane_arithmetic.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <optional>

namespace warplint {

namespace {

int64_t signedOf(uint64_t value, unsigned bits) {
  return bits == 0 || bits >= 64 ? int64_t(value)
                                 : llvm::SignExtend64(value, bits);
}

bool isShift(Op op) {
  return op == Op::ShiftLeft || op == Op::ShiftRightSigned ||
         op == Op::ShiftRightUnsigned;
}

bool divides(Op op) {
  return op == Op::DivideSigned || op == Op::DivideUnsigned ||
         op == Op::RemainderSigned || op == Op::RemainderUnsigned;
}

/// Returns true if `op` on a ballot gives a ballot.
bool keepsVotes(Op op) {
  return op == Op::And || op == Op::Or || op == Op::Xor || op == Op::Resize ||
         op == Op::ShiftLeft || op == Op::ShiftRightUnsigned;
}

/// Computes a binary operation for one lane; returns nothing if it has no
/// value.
LLVM_ATTRIBUTE_ALWAYS_INLINE std::optional<uint64_t>
binary(Op op, uint64_t a, uint64_t b, unsigned bits) {
  int64_t sa = signedOf(a, bits), sb = signedOf(b, bits);
  uint64_t ua = cut(a, bits), ub = cut(b, bits);
  switch (op) {
  case Op::Add:
    return a + b;
  case Op::Subtract:
    return a - b;
  case Op::Multiply:
    return a * b;
  case Op::MultiplyHighSigned:
    return uint64_t((__int128(sa) * sb) >> bits);
  case Op::MultiplyHighUnsigned:
    return uint64_t((static_cast<unsigned __int128>(ua) * ub) >> bits);
  case Op::DivideSigned:
    if (sb == 0)
      return std::nullopt;
    return sb == -1 ? -uint64_t(sa) : uint64_t(sa / sb);
  case Op::DivideUnsigned:
    if (ub == 0)
      return std::nullopt;
    return ua / ub;
  case Op::RemainderSigned:
    if (sb == 0)
      return std::nullopt;
    return sb == -1 ? 0 : uint64_t(sa % sb);
  case Op::RemainderUnsigned:
    if (ub == 0)
      return std::nullopt;
    return ua % ub;
  case Op::ShiftLeft:
    return ub < bits ? a << ub : 0;
  case Op::ShiftRightSigned:
    return uint64_t(sa >> std::min<uint64_t>(ub, bits - 1));
  case Op::ShiftRightUnsigned:
    return ub < bits ? ua >> ub : 0;
  case Op::And:
    return a & b;
  case Op::Or:
    return a | b;
  case Op::Xor:
    return a ^ b;
  case Op::MinSigned:
    return sa < sb ? a : b;
  case Op::MaxSigned:
    return sa > sb ? a : b;
  case Op::MinUnsigned:
    return ua < ub ? a : b;
  case Op::MaxUnsigned:
    return ua > ub ? a : b;
  case Op::Equal:
    return ua == ub;
  case Op::NotEqual:
    return ua != ub;
  case Op::LessSigned:
    return sa < sb;
  case Op::LessEqualSigned:
    return sa <= sb;
  case Op::LessUnsigned:
    return ua < ub;
  case Op::LessEqualUnsigned:
    return ua <= ub;
  default:
    return std::nullopt;
  }
}

using Lanes = LaneNumbers::Each;

/// Computes an operation that has a value for all operands. One loop for all
/// operations would choose among them in each lane.
template <Op op>
bool lanesOf(const Lanes &a, const Lanes &b, unsigned bits, Lanes &into) {
  for (unsigned lane = 0; lane < warpSize; ++lane)
    into[lane] = *binary(op, a[lane], b[lane], bits);
  return true;
}

/// Computes the usual binary operations for all lanes; returns false for
/// others.
bool allLanesOf(Op op, const Lanes &a, const Lanes &b, unsigned bits,
                Lanes &into) {
  switch (op) {
  case Op::Add:
    return lanesOf<Op::Add>(a, b, bits, into);
  case Op::Subtract:
    return lanesOf<Op::Subtract>(a, b, bits, into);
  case Op::Multiply:
    return lanesOf<Op::Multiply>(a, b, bits, into);
  case Op::ShiftLeft:
    return lanesOf<Op::ShiftLeft>(a, b, bits, into);
  case Op::ShiftRightSigned:
    return lanesOf<Op::ShiftRightSigned>(a, b, bits, into);
  case Op::ShiftRightUnsigned:
    return lanesOf<Op::ShiftRightUnsigned>(a, b, bits, into);
  case Op::And:
    return lanesOf<Op::And>(a, b, bits, into);
  case Op::Or:
    return lanesOf<Op::Or>(a, b, bits, into);
  case Op::Xor:
    return lanesOf<Op::Xor>(a, b, bits, into);
  case Op::Equal:
    return lanesOf<Op::Equal>(a, b, bits, into);
  case Op::NotEqual:
    return lanesOf<Op::NotEqual>(a, b, bits, into);
  case Op::LessSigned:
    return lanesOf<Op::LessSigned>(a, b, bits, into);
  case Op::LessEqualSigned:
    return lanesOf<Op::LessEqualSigned>(a, b, bits, into);
  case Op::LessUnsigned:
    return lanesOf<Op::LessUnsigned>(a, b, bits, into);
  case Op::LessEqualUnsigned:
    return lanesOf<Op::LessEqualUnsigned>(a, b, bits, into);
  default:
    return false;
  }
}

uint64_t unary(Op op, uint64_t a, unsigned bits) {
  uint64_t ua = cut(a, bits);
  switch (op) {
  case Op::Absolute:
    return signedOf(a, bits) < 0 ? -a : a;
  case Op::CountOnes:
    return llvm::popcount(ua);
  case Op::LeadingZeros:
    return llvm::countl_zero(ua) - (64 - bits);
  case Op::ReverseBits:
    return llvm::reverseBits(ua) >> (64 - bits);
  default: // Resize
    return ua;
  }
}

} // namespace

LaneValues unaryOf(Op op, const LaneValues &operand, unsigned bits,
                   ValueId id) {
  if (operand.unknown && operand.uniform)
    return LaneValues::uniformUnknown(operand.why,
                                      operand.votes && keepsVotes(op));
  if (bits == 0) // the operand is no integer
    return operand.isUniform() ? LaneValues::uniformUnknown(id)
                               : LaneValues::varying(id);
  LaneValues result = operand;
  result.value.change([&](uint64_t value) {
    return op == Op::SignExtend ? uint64_t(signedOf(value, bits))
                                : unary(op, value, bits);
  });
  return result;
}

LaneValues binaryOf(Op op, const LaneValues &a, const LaneValues &b,
                    unsigned bits, ValueId id) {
  LaneValues result;
  result.assumed = a.assumed | b.assumed;
  result.unknown = a.unknown | b.unknown;
  result.why = a.unknown ? a.why : b.why;
  if (result.unknown && a.isUniform() && b.isUniform())
    return LaneValues::uniformUnknown(result.why,
                                      (a.votes || b.votes) && keepsVotes(op));
  const bool isUsual = !result.unknown && !(b.assumed && isShift(op));
  if (isUsual && a.isUniform() && b.isUniform() && !divides(op)) {
    if (const auto value = binary(op, a.value[0], b.value[0], bits)) {
      result.value.fill(*value);
      return result;
    }
  } else if (isUsual) {
    Lanes roomOfA, roomOfB;
    if (allLanesOf(op, a.value.each(roomOfA), b.value.each(roomOfB), bits,
                   result.value.each()))
      return result;
  }
  // The product of probe sizes has wrapped to zero, as in `i / (h * w * c)`: it
  // stands for a large value.
  bool wrapped = divides(op) && b.assumed && !b.unknown && b.isUniform() &&
                 bits >= 32 && cut(b.value[0], bits) == 0;
  auto inLane = [&](unsigned lane) {
    uint64_t right = wrapped ? uint64_t(1) << (bits - 2) : b.value[lane];
    if (b.assumed && isShift(op) && cut(right, bits) >= bits)
      right %= bits; // keeps a probe value in the range of shift counts
    return binary(op, a.value[lane], right, bits);
  };
  if (a.value.isOne() && b.value.isOne() && !result.unknown) {
    if (const auto value = inLane(0))
      result.value.fill(*value);
    else
      result.unknown = allLanes;
  } else if (result.unknown != allLanes) {
    Lanes &each = result.value.each();
    each.fill(0);
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      if (result.unknown >> lane & 1)
        continue;
      if (const auto value = inLane(lane))
        each[lane] = *value;
      else
        result.unknown |= 1u << lane;
    }
  }
  if (a.unknown || b.unknown || !result.unknown)
    return result;
  // The probe values are not consistent if they divide by zero.
  if (a.isUniform() && b.isUniform())
    return LaneValues::uniformUnknown(id);
  result.why = id;
  return result;
}

LaneValues logicOf(Op op, const LaneValues &a, const LaneValues &b) {
  LaneValues result;
  // Either operand may decide alone: false in an And, true in an Or.
  auto decides = [&](const LaneValues &condition) {
    const uint32_t holds = condition.holding();
    return (op == Op::Or ? holds : ~holds) & ~condition.unknown;
  };
  const uint32_t decided = decides(a) | decides(b);
  result.hold(op == Op::Or ? decided : ~decided);
  result.unknown = (a.unknown | b.unknown) & ~decided;
  result.assumed = a.assumed | b.assumed;
  result.why = a.unknown ? a.why : b.why;
  result.uniform = result.unknown == allLanes && a.isUniform() && b.isUniform();
  return result;
}

LaneValues equalToOneLane(Op op, const LaneValues &lanes) {
  LaneValues result;
  uint32_t equal = 0;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    equal |= uint32_t(lanes.value[lane] == lanes.value[0]) << lane;
  result.hold(op == Op::Equal ? equal : ~equal);
  return result;
}

} // namespace warplint
