// The values of one expression in the 32 lanes of a warp, known or not.
#pragma once
#include "model/expression.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>
#include <cstdint>
#include <utility>

namespace warplint {

/// A set of lanes is one bit each.
constexpr uint32_t allLanes = ~uint32_t(0);

/// Stands for a node: the expression is too long or too deep to evaluate.
constexpr ValueId tooLong = ~ValueId(0);

/// A number for each lane. Where all lanes have the same it keeps one, in an
/// eighth of the memory: most values of most kernels are sizes, counters and
/// conditions of the whole warp, and evaluating them is bound by memory.
class LaneNumbers {
public:
  using Each = std::array<uint64_t, warpSize>;

  LaneNumbers() = default;
  LaneNumbers(const LaneNumbers &from) { *this = from; }
  LaneNumbers(LaneNumbers &&from)
      : one_(from.one_), each_(std::exchange(from.each_, nullptr)) {}
  ~LaneNumbers() {
    if (each_)
      give(each_);
  }
  LaneNumbers &operator=(const LaneNumbers &from) {
    if (from.each_)
      (each_ ? *each_ : *(each_ = room())) = *from.each_;
    else
      fill(from.one_);
    return *this;
  }
  LaneNumbers &operator=(LaneNumbers &&from) {
    std::swap(one_, from.one_);
    std::swap(each_, from.each_);
    return *this;
  }

  uint64_t operator[](unsigned lane) const {
    return each_ ? (*each_)[lane] : one_;
  }
  uint64_t &operator[](unsigned lane) { return each()[lane]; }
  void fill(uint64_t number) {
    one_ = number;
    if (each_)
      give(std::exchange(each_, nullptr));
  }

  /// True if only one number is kept; lanes that are kept one by one may have
  /// the same number too.
  bool isOne() const { return !each_; }
  bool areSame() const {
    if (!each_)
      return true;
    const Each &each = *each_;
    if (each[0] != each[warpSize - 1])
      return false;
    uint64_t differing = 0; // without branches, several lanes at once
    for (uint64_t number : each)
      differing |= number ^ each[0];
    return !differing;
  }
  /// Keeps one number if all lanes have the same.
  void settle() {
    if (each_ && areSame())
      fill((*each_)[0]);
  }

  /// The numbers lane by lane, to change them.
  Each &each() {
    if (!each_) {
      each_ = room();
      each_->fill(one_);
    }
    return *each_;
  }
  /// The numbers lane by lane; writes them into `room` if only one is kept.
  const Each &each(Each &room) const {
    if (each_)
      return *each_;
    room.fill(one_);
    return room;
  }
  Each toArray() const {
    Each room;
    return each(room);
  }
  /// Takes the numbers of `from` in `lanes`.
  void take(const LaneNumbers &from, uint32_t lanes);
  /// Replaces each number by what `of` gives for it.
  template <typename Of> void change(Of of) {
    if (!each_)
      one_ = of(one_);
    else
      for (uint64_t &number : *each_)
        number = of(number);
  }

  bool operator==(const LaneNumbers &other) const;

private:
  static Each *room();
  static void give(Each *room);

  uint64_t one_ = 0;
  Each *each_ = nullptr; ///< null: all lanes have `one_`
};

struct LaneValues {
  uint32_t unknown = 0; ///< lanes whose value is unknown
  bool uniform = false; ///< unknown, but the same in all lanes
  bool votes = false;   ///< unknown bits of a ballot, not a number
  bool assumed = false; ///< depends on probe values
  ValueId why = 0;      ///< the node that makes it unknown, if it is; tooLong
  LaneNumbers value;

  /// One known value in all lanes.
  static LaneValues splat(uint64_t value, bool assumed = false);
  /// An unknown value in each lane.
  static LaneValues varying(ValueId why);
  /// An unknown value, the same in all lanes.
  static LaneValues uniformUnknown(ValueId why, bool votes = false);

  /// Returns true if all lanes have the same value, known or not.
  bool isUniform() const { return unknown ? uniform : value.areSame(); }
  /// True if what is known of a lane is known of each, and the same.
  bool isOne() const {
    return value.isOne() && (!unknown || unknown == allLanes);
  }

  /// Of a condition: the lanes with a value, in which it holds; a lane without
  /// one has any bit.
  uint32_t holding() const {
    if (value.isOne())
      return value[0] & 1 ? allLanes : 0;
    uint32_t lanes = 0;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      lanes |= uint32_t(value[lane] & 1) << lane;
    return lanes;
  }
  /// Makes a condition hold in `lanes`, and in no other one.
  void hold(uint32_t lanes) {
    if (lanes == 0 || lanes == allLanes)
      return value.fill(lanes & 1);
    LaneNumbers::Each &each = value.each();
    for (unsigned lane = 0; lane < warpSize; ++lane)
      each[lane] = lanes >> lane & 1;
  }
  /// Of a condition: true if it may hold in some lane.
  bool mayHoldInSome() const { return unknown || holding(); }

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
