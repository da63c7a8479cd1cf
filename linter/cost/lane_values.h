// The values of one expression in the 32 lanes of a warp, known or not.
#pragma once
#include "model/expression.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>
#include <cstdint>

namespace warplint {

constexpr unsigned warpSize = 32;

/// A set of lanes is one bit each.
constexpr uint32_t allLanes = ~uint32_t(0);

/// Stands for a node: the expression is too long or too deep to evaluate.
constexpr ValueId tooLong = ~ValueId(0);

struct LaneValues {
  std::array<uint64_t, warpSize> value{};
  uint32_t unknown = 0; ///< lanes whose value is unknown
  bool uniform = false; ///< unknown, but the same in all lanes
  bool votes = false;   ///< unknown bits of a ballot, not a number
  bool assumed = false; ///< depends on probe values
  ValueId why = 0;      ///< the node that makes it unknown, if it is; tooLong

  /// One known value in all lanes.
  static LaneValues splat(uint64_t value, bool assumed = false);
  /// An unknown value in each lane.
  static LaneValues varying(ValueId why);
  /// An unknown value, the same in all lanes.
  static LaneValues uniformUnknown(ValueId why, bool votes = false);

  /// Returns true if all lanes have the same value, known or not.
  bool isUniform() const {
    if (unknown)
      return uniform;
    if (value[0] != value[warpSize - 1])
      return false;
    uint64_t differing = 0; // without branches, several lanes at once
    for (uint64_t v : value)
      differing |= v ^ value[0];
    return !differing;
  }

  /// Of a condition: the lanes with a value, in which it holds; a lane without
  /// one has any bit.
  uint32_t holding() const {
    uint32_t lanes = 0;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      lanes |= uint32_t(value[lane] & 1) << lane;
    return lanes;
  }
  /// Of a condition: true if it may hold in some lane.
  bool mayHoldInSome() const {
    uint64_t any = 0;
    for (uint64_t v : value)
      any |= v;
    return unknown || (any & 1);
  }

  /// Takes the values of `from` in `lanes`.
  void take(const LaneValues &from, uint32_t lanes);
  /// Adds numbers of `bits`, lane by lane.
  void add(const LaneValues &from, unsigned bits);
};

/// The values of an operand, in the iterations of the node that asks.
using OperandValues = llvm::function_ref<const LaneValues &(ValueId)>;

/// `value` as a number of `bits`; what is no integer has 0 bits, and stays.
inline uint64_t cut(uint64_t value, unsigned bits) {
  return bits == 0 || bits >= 64 ? value : value & ((uint64_t(1) << bits) - 1);
}

} // namespace warplint
