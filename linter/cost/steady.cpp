#include "cost/steady.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

namespace warplint {

namespace {

/// Returns true if a mask clears low bits that a lane has. One that clears
/// bits of zeros, as `(i << 2) & 12` does, is a remainder.
bool roundsDown(const ExpressionGraph &graph, ValueId id, Evaluated value) {
  const llvm::ArrayRef<ValueId> operands = graph.operands(id);
  const auto clearsLowBits = [&](const LaneValues &mask,
                                 const LaneValues &masked) {
    if (mask.unknown || !mask.isUniform())
      return false;
    const uint64_t cleared =
        mask.value[0] ? (mask.value[0] & -mask.value[0]) - 1 : ~uint64_t(0);
    return cleared && (masked.unknown ||
                       llvm::any_of(masked.value.toArray(), [&](uint64_t lane) {
                         return (lane & cleared) != 0;
                       }));
  };
  const LaneValues &a = value(operands[0]), &b = value(operands[1]);
  return clearsLowBits(a, b) || clearsLowBits(b, a);
}

/// Returns true if an operation gives one result for many operands, so that
/// equal results do not show that all operands give this result. A remainder is
/// not one of them, since neighbouring operands have different remainders,
/// unless it is one of a size that probe values make 1.
bool losesDifferences(const ExpressionGraph &graph, ValueId id, Evaluated one,
                      Evaluated other) {
  const auto isProbedOne = [&](const LaneValues &size) {
    return size.assumed && !size.unknown && size.isUniform() &&
           size.value[0] == 1;
  };
  switch (graph.node(id).op) {
  case Op::RemainderSigned:
  case Op::RemainderUnsigned:
    return isProbedOne(one(graph.operand(id, 1))) ||
           isProbedOne(other(graph.operand(id, 1)));
  case Op::DivideSigned:
  case Op::DivideUnsigned:
  case Op::MultiplyHighSigned: // how compilers divide by constants
  case Op::MultiplyHighUnsigned:
  case Op::ShiftRightSigned:
  case Op::ShiftRightUnsigned:
  case Op::MinSigned:
  case Op::MaxSigned:
  case Op::MinUnsigned:
  case Op::MaxUnsigned:
  case Op::Equal:
  case Op::NotEqual:
  case Op::LessSigned:
  case Op::LessEqualSigned:
  case Op::LessUnsigned:
  case Op::LessEqualUnsigned:
  case Op::Loaded: // two addresses may have one probe value
    return true;
  case Op::And:
    return graph.node(id).bits > 1 &&
           (roundsDown(graph, id, one) || roundsDown(graph, id, other));
  default:
    return false;
  }
}

class Comparison {
public:
  Comparison(const ExpressionGraph &graph, Evaluated one, Evaluated other)
      : graph_(graph), one_(one), other_(other) {}

  bool mayDiffer(ValueId root) {
    work_ = {root};
    while (!work_.empty()) {
      const ValueId id = work_.pop_back_val();
      // The operation on it answers for a value that differs.
      if (!seen_.insert(id).second || (id != root && differs(id)))
        continue;
      if (losesDifferences(graph_, id, one_, other_) &&
          llvm::any_of(graph_.operands(id),
                       [&](ValueId operand) { return differs(operand); }))
        return true;
      if (mayChooseOther(id))
        return true;
      addOperands(id);
    }
    return false;
  }

private:
  bool differs(ValueId id) {
    const LaneValues &one = one_(id), &other = other_(id);
    return !one.unknown && !other.unknown && one.value != other.value;
  }

  /// Returns true if only the probe values choose between values, and one of
  /// them differs or is unknown.
  bool mayChooseOther(ValueId id) {
    const llvm::ArrayRef<ValueId> operands = graph_.operands(id);
    const Op op = graph_.node(id).op;
    if (op == Op::Select)
      return one_(operands[0]).assumed &&
             (isOpen(operands[1]) || isOpen(operands[2]));
    if (op != Op::Join)
      return false;
    const auto pairs = llvm::seq<size_t>(0, operands.size() / 2);
    return llvm::any_of(
               pairs,
               [&](size_t i) { return one_(operands[2 * i]).assumed; }) &&
           llvm::any_of(pairs,
                        [&](size_t i) { return isOpen(operands[2 * i + 1]); });
  }

  /// Looks at all that it is computed from: a loop that the probe values do not
  /// enter leaves what it begins with. Looks at each value once, since the
  /// first open one ends the comparison.
  bool isOpen(ValueId value) {
    return !graph_.walk(value, [&](ValueId id) {
      if (!closed_.insert(id).second)
        return ExpressionGraph::Walk::Past;
      return one_(id).unknown || other_(id).unknown || differs(id)
                 ? ExpressionGraph::Walk::Stop
                 : ExpressionGraph::Walk::Into;
    });
  }

  bool areEqual(ValueId a, ValueId b) {
    auto areEqualIn = [&](Evaluated evaluated) {
      const LaneValues &one = evaluated(a), &other = evaluated(b);
      return !one.unknown && !other.unknown && one.value == other.value;
    };
    return areEqualIn(one_) && areEqualIn(other_);
  }

  /// Leaves out the conditions of a choice between equal values.
  void addOperands(ValueId id) {
    const llvm::ArrayRef<ValueId> operands = graph_.operands(id);
    const Op op = graph_.node(id).op;
    if (op == Op::Select && areEqual(operands[1], operands[2]))
      return work_.push_back(operands[1]);
    const bool isJoin = op == Op::Join && operands.size() > 1;
    bool sameValues = isJoin;
    for (size_t i = 3; isJoin && i < operands.size(); i += 2)
      sameValues &= areEqual(operands[1], operands[i]);
    if (sameValues)
      return work_.push_back(operands[1]);
    llvm::append_range(work_, operands);
  }

  const ExpressionGraph &graph_;
  Evaluated one_, other_;
  llvm::SmallVector<ValueId, 32> work_;
  llvm::DenseSet<ValueId> seen_, closed_;
};

} // namespace

bool mayDiffer(const ExpressionGraph &graph, ValueId value, Evaluated one,
               Evaluated other) {
  return Comparison(graph, one, other).mayDiffer(value);
}

} // namespace warplint
