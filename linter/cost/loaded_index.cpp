#include "cost/loaded_index.h"
#include "cost/address_roots.h"
#include "cost/lanes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace warplint {

namespace {

constexpr uint64_t far = ~uint64_t(0);
constexpr unsigned deepest = 2000; // the recursion must fit a worker's stack

} // namespace

/// Computes how far loaded values may move a value; 0 if it contains none.
class LoadedIndexes::Reach {
public:
  Reach(const Kernel &kernel, Shape shape, llvm::ArrayRef<Launched> launches)
      : kernel_(kernel), graph_(kernel.graph), evaluation_(kernel, launches),
        warp_(evaluation_, shape, 0, 0, 0) {}

  uint64_t ofAddress(ValueId address) {
    known_.clear();
    loaded_.clear();
    of(address);
    // Again, now that the reach of loop-carried values is known: the first pass
    // met their uses before their definitions.
    known_.clear();
    return of(address);
  }

  std::optional<uint64_t> numberOf(ValueId id) {
    const Node &node = graph_.node(id);
    if (node.op == Op::Constant)
      return node.number;
    if (evaluation_.launches.empty() || evaluation_.loopsOf(id))
      return std::nullopt;
    const LaneValues &value = warp_.evaluate(id, iterations_);
    if (value.unknown || value.assumed || !value.isUniform())
      return std::nullopt;
    return value.value[0];
  }

  /// The loaded values, in the order of the evaluation.
  const std::vector<ValueId> &loaded() const { return loaded_; }

private:
  uint64_t of(ValueId id) {
    // A loop-carried value depends on itself.
    auto [known, fresh] = known_.try_emplace(id, carried_.lookup(id));
    if (!fresh || known->second || depth_ > deepest)
      return known->second;
    ++depth_;
    uint64_t reach = std::min(compute(id), widest(graph_.node(id).bits));
    --depth_;
    return known_[id] = reach;
  }

  static uint64_t widest(unsigned bits) {
    return bits == 0 || bits >= 32 ? far : (uint64_t(1) << bits) - 1;
  }

  uint64_t operand(ValueId id, unsigned i) { return of(graph_.operand(id, i)); }
  std::optional<uint64_t> constantOperand(ValueId id, unsigned i) {
    return numberOf(graph_.operand(id, i));
  }

  uint64_t compute(ValueId id) {
    const Node &node = graph_.node(id);
    switch (node.op) {
    case Op::Loaded:
      return ofLoaded(id);
    case Op::Forwarded:
      return ofStored(id);
    case Op::Add:
    case Op::Subtract:
    case Op::Or:
    case Op::Xor:
      return llvm::SaturatingAdd(operand(id, 0), operand(id, 1));
    case Op::Select:
      return std::max(operand(id, 1), operand(id, 2));
    case Op::MaxSigned:
    case Op::MaxUnsigned:
      return std::max(operand(id, 0), operand(id, 1));
    case Op::Join:
      return ofJoin(id);
    case Op::Carried:
      return ofCarried(id);
    case Op::Final:
    case Op::FromLane:
    case Op::Resize:
    case Op::SignExtend:
    case Op::Absolute:
      return operand(id, 0);
    case Op::CountOnes:
    case Op::LeadingZeros:
      return std::min<uint64_t>(operand(id, 0), 64);
    case Op::Multiply:
    case Op::ShiftLeft:
    case Op::ShiftRightUnsigned:
    case Op::ShiftRightSigned:
    case Op::DivideUnsigned:
    case Op::DivideSigned:
    case Op::And:
    case Op::RemainderUnsigned:
    case Op::RemainderSigned:
    case Op::MinUnsigned:
    case Op::MinSigned: // no index is negative
      return ofScaled(id);
    default:
      return ofAny(id);
    }
  }

  uint64_t ofLoaded(ValueId id) {
    const LaneValues &value = warp_.evaluate(id, iterations_);
    // A load at one address is uniform, and local memory holds only what the
    // thread itself stored.
    if (value.isUniform() ||
        spaceOfBases(kernel_, graph_.operand(id, 0)) == Space::Local)
      return 0;
    if (!llvm::is_contained(loaded_, id))
      loaded_.push_back(id);
    return widest(graph_.node(id).bits);
  }

  /// Each iteration adds the increment again.
  uint64_t ofCarried(ValueId id) {
    uint64_t first = operand(id, 0), added = operand(id, 1);
    return carried_[id] = added ? far : first;
  }

  /// A load of the thread's own memory gives what the thread stored.
  uint64_t ofStored(ValueId id) {
    uint64_t most = 0;
    llvm::ArrayRef<ValueId> operands = graph_.operands(id);
    for (size_t i = 1; i + 2 < operands.size(); i += 3)
      most = std::max(most, of(operands[i + 1]));
    return most;
  }

  uint64_t ofJoin(ValueId id) {
    uint64_t most = 0;
    for (unsigned i = 1; i < graph_.node(id).count; i += 2)
      most = std::max(most, operand(id, i));
    return most;
  }

  /// Operations whose result a constant operand limits or scales.
  uint64_t ofScaled(ValueId id) {
    const Node &node = graph_.node(id);
    uint64_t left = operand(id, 0), right = operand(id, 1);
    if (auto other = constantOperand(id, 0)) {
      if (node.op == Op::Multiply)
        return llvm::SaturatingMultiply(right, *other);
      if (node.op == Op::And || node.op == Op::MinUnsigned ||
          node.op == Op::MinSigned)
        return std::min(right, *other);
    }
    auto constant = constantOperand(id, 1);
    if (!constant)
      return left || right ? far : 0;
    switch (node.op) {
    case Op::Multiply:
      return llvm::SaturatingMultiply(left, *constant);
    case Op::ShiftLeft:
      return *constant < 64
                 ? llvm::SaturatingMultiply(left, uint64_t(1) << *constant)
                 : 0;
    case Op::ShiftRightUnsigned:
    case Op::ShiftRightSigned:
      return *constant < node.bits
                 ? std::min(left, widestNumber(node.bits)) >> *constant
                 : 0;
    case Op::DivideUnsigned:
    case Op::DivideSigned:
      return *constant ? std::min(left, widestNumber(node.bits)) / *constant
                       : left;
    default: // a mask, a divisor or a limit
      return std::min(left, *constant);
    }
  }

  static uint64_t widestNumber(unsigned bits) {
    return bits == 0 || bits >= 64 ? far : (uint64_t(1) << bits) - 1;
  }

  uint64_t ofAny(ValueId id) {
    for (ValueId each : graph_.operands(id))
      if (of(each))
        return far; // `of` limits it to the width of the result
    return 0;
  }

  const Kernel &kernel_;
  const ExpressionGraph &graph_;
  Evaluation evaluation_;
  Warp warp_;
  const Iterations iterations_;
  llvm::DenseMap<ValueId, uint64_t> known_, carried_;
  std::vector<ValueId> loaded_;
  unsigned depth_ = 0;
};

LoadedIndexes::LoadedIndexes(const Kernel &kernel, Shape shape,
                             llvm::ArrayRef<Launched> launches)
    : reach_(std::make_unique<Reach>(kernel, shape, launches)) {}
LoadedIndexes::~LoadedIndexes() = default;

std::vector<ValueId> LoadedIndexes::of(ValueId address, uint64_t distance) {
  if (reach_->ofAddress(address) < distance)
    return {};
  return reach_->loaded();
}

std::optional<uint64_t> LoadedIndexes::numberOf(ValueId value) {
  return reach_->numberOf(value);
}

uint64_t LoadedIndexes::reach(ValueId address) {
  return reach_->ofAddress(address);
}

} // namespace warplint
