#include "cost/once_in_loop.h"
#include "cost/comparison_sides.h"
#include "cost/conditions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace warplint {

namespace {

/// A counter that is made narrower has its first value again and again.
ValueId withoutExtensions(const ExpressionGraph &graph, ValueId value) {
  while (true) {
    const Node &node = graph.node(value);
    if ((node.op != Op::SignExtend && node.op != Op::Resize) ||
        node.bits < graph.node(graph.operand(value, 0)).bits)
      return value;
    value = graph.operand(value, 0);
  }
}

class Once {
public:
  Once(const ExpressionGraph &graph, LoopId loop,
       llvm::ArrayRef<ValueId> conditions)
      : graph_(graph), loop_(loop), conditions_(conditions) {}

  /// Returns what a condition compares with its first value, if the path that
  /// all conditions lead to changes it for good.
  std::optional<ValueId> variableOf(ValueId condition) {
    const auto compared = comparedWithFirst(condition);
    if (!compared)
      return std::nullopt;
    states_.clear();
    condition_ = condition;
    first_ = compared->first;
    last_ = compared->last;
    // From the variable of a loop inside to that of the loop.
    ValueId state = compared->variable;
    for (;;) {
      const Node &node = graph_.node(state);
      if (node.op != Op::Carried || node.count != 2)
        return std::nullopt;
      states_.push_back(state);
      if (node.number == loop_)
        break;
      const ValueId begin = graph_.operand(state, 0);
      state = last_ ? withoutConversions(graph_, begin)
                    : withoutExtensions(graph_, begin);
    }
    const Node &begin =
        graph_.node(withoutConversions(graph_, graph_.operand(state, 0)));
    if (begin.op != Op::Constant || begin.number != first_)
      return std::nullopt;
    left_ = mostNodes;
    for (known_ = 1; known_ <= states_.size(); ++known_)
      if (!isLater(graph_.operand(states_[known_ - 1], 1), /*isUnder=*/false))
        return std::nullopt;
    left_ = mostNodes;
    known_ = 1;
    return isLater(graph_.operand(compared->variable, 1), /*isUnder=*/true)
               ? std::optional(compared->variable)
               : std::nullopt;
  }

private:
  struct Compared {
    ValueId variable;
    uint64_t first;
    std::optional<uint64_t> last; ///< of a flag, which has two values
  };

  bool isNegation(ValueId condition) const {
    return graph_.node(condition).op == Op::Xor &&
           graph_.node(condition).bits == 1 &&
           graph_.isConstant(graph_.operand(condition, 1), 1);
  }

  /// Of `count == 0`, `!found` and `isFirst`.
  std::optional<Compared> comparedWithFirst(ValueId condition) const {
    bool isNegated = false;
    for (; isNegation(condition); isNegated = !isNegated)
      condition = graph_.operand(condition, 0);
    const Node &node = graph_.node(condition);
    if (node.op == Op::Equal || node.op == Op::NotEqual) {
      const Node &constant = graph_.node(graph_.operand(condition, 1));
      if (constant.op != Op::Constant)
        return std::nullopt;
      const bool isEqual = (node.op == Op::Equal) != isNegated;
      const ValueId side = graph_.operand(condition, 0);
      if (isEqual)
        return Compared{withoutExtensions(graph_, side), constant.number,
                        std::nullopt};
      const ValueId variable = withoutConversions(graph_, side);
      return constant.number == 0 // a flag in a byte
                 ? std::optional(Compared{variable, 1, 0})
                 : std::nullopt;
    }
    return Compared{withoutConversions(graph_, condition), !isNegated,
                    isNegated};
  }

  Truth truth(ValueId condition, unsigned depth = 0) {
    if (const auto known = truths_.find(condition); known != truths_.end())
      return known->second;
    return truths_[condition] = computeTruth(condition, depth);
  }

  Truth computeTruth(ValueId condition, unsigned depth) {
    constexpr unsigned deepest = 24;
    const Node &node = graph_.node(condition);
    if (node.op == Op::Constant)
      return node.number ? Truth::Yes : Truth::No;
    for (ValueId known : conditions_)
      if (known == condition)
        return Truth::Yes;
      else if (isNegation(known) && graph_.operand(known, 0) == condition)
        return Truth::No;
    if (depth == deepest)
      return Truth::Maybe;
    return truthOfParts(graph_, condition,
                        [&](ValueId part) { return truth(part, depth + 1); });
  }

  /// Returns true if a value is what the variable was or a later one, and,
  /// under the conditions, a later one. Counters grow, so none comes back; a
  /// narrow one, or one of wide steps, does.
  bool isLater(ValueId value, bool isUnder) {
    if (!left_ || !--left_)
      return false;
    // A flag has two values, whatever its bits.
    value = last_ ? withoutConversions(graph_, value)
                  : withoutExtensions(graph_, value);
    const Node &node = graph_.node(value);
    const llvm::ArrayRef<ValueId> operands = graph_.operands(value);
    switch (node.op) {
    case Op::Constant:
      return last_ ? node.number == *last_
                   : signedValue(node.number, node.bits) >
                         signedValue(first_, node.bits);
    case Op::Carried:
      return !isUnder && llvm::is_contained(
                             llvm::ArrayRef(states_).take_front(known_), value);
    case Op::Add: {
      const Node &step = graph_.node(operands[1]);
      return !last_ && step.op == Op::Constant && node.bits >= 32 &&
             signedValue(step.number, step.bits) > 0 &&
             signedValue(step.number, step.bits) <= widestStep &&
             isLater(operands[0], /*isUnder=*/false);
    }
    case Op::And:
    case Op::Or: { // found |= isHere
      const bool isOr = node.op == Op::Or;
      return last_ == uint64_t(isOr) && node.bits == 1 &&
             llvm::any_of(operands, [&](ValueId part) {
               return isLater(part, isUnder) ||
                      (isUnder &&
                       truth(part) == (isOr ? Truth::Yes : Truth::No));
             });
    }
    case Op::Final: // another iteration may not be under the conditions
      return isLater(operands[0], /*isUnder=*/false) && !isUnder;
    case Op::Select: {
      const Truth chosen = isUnder ? truth(operands[0]) : Truth::Maybe;
      return (chosen == Truth::No || isLater(operands[1], isUnder)) &&
             (chosen == Truth::Yes || isLater(operands[2], isUnder));
    }
    case Op::Join:
      for (size_t i = 0; i + 1 < operands.size(); i += 2)
        if (!(isUnder && truth(operands[i]) == Truth::No) &&
            !isLater(operands[i + 1], isUnder) &&
            !(!isUnder && isStillFirst(operands[i], operands[i + 1])))
          return false;
      return true;
    default:
      return false;
    }
  }

  /// Returns true for the first value on a path on which the variable has it.
  bool isStillFirst(ValueId path, ValueId value) const {
    std::vector<ValueId> conditions;
    addConditions(graph_, path, conditions);
    return graph_.isConstant(value, first_) &&
           llvm::is_contained(conditions, condition_);
  }

  static int64_t signedValue(uint64_t value, unsigned bits) {
    return llvm::SignExtend64(value, bits);
  }

  static constexpr unsigned mostNodes = 200;
  static constexpr int64_t widestStep = 1 << 16;

  const ExpressionGraph &graph_;
  const LoopId loop_;
  const llvm::ArrayRef<ValueId> conditions_;
  std::vector<ValueId>
      states_; ///< the variable in each loop, the innermost first
  /// Of these, those that are no step back: a loop's own and those inside it.
  size_t known_ = 0;
  ValueId condition_ = 0;        ///< that compares it
  uint64_t first_ = 0;
  std::optional<uint64_t> last_;
  unsigned left_ = 0;
  llvm::DenseMap<ValueId, Truth> truths_;
};

} // namespace

std::optional<ValueId> changedForGood(const Kernel &kernel, LoopId loop,
                                      llvm::ArrayRef<ValueId> conditions) {
  const std::vector<ValueId> all = withEntries(kernel.graph, loop, conditions);
  Once once(kernel.graph, loop, all);
  for (ValueId condition : all)
    if (kernel.graph.loopsOf()[condition] & ExpressionGraph::loopBit(loop))
      if (const auto variable = once.variableOf(condition))
        return variable;
  return std::nullopt;
}

bool isDoneOnce(const Kernel &kernel, const Access &access, LoopId loop) {
  std::vector<ValueId> conditions;
  addConditions(kernel.graph, access.guard, conditions);
  return changedForGood(kernel, loop, conditions).has_value();
}

} // namespace warplint
