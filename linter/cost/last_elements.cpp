#include "cost/last_elements.h"
#include "cost/loop_bound.h"
#include "cost/terms.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace warplint {

static std::optional<LastElements>
lastElements(const Kernel &kernel, ValueId comparison, bool isNegated) {
  const ExpressionGraph &graph = kernel.graph;
  const Op op = graph.node(comparison).op;
  if (!isComparison(op) || op == Op::Equal || op == Op::NotEqual)
    return std::nullopt;
  const ValueId less = graph.operand(comparison, isNegated),
                more = graph.operand(comparison, !isNegated);
  const int64_t last = constantIn(graph, more) - constantIn(graph, less);
  if (last < 2)
    return std::nullopt;
  Terms terms;
  addTerms(graph, less, 1, terms);
  addTerms(graph, more, -1, terms);
  bool hasSize = false, hasBlock = false, hasThread = false;
  for (const auto &[value, factor] : terms) {
    const bool isOfBlock = dependsOn(graph, value, {Op::BlockIndex}),
               isOfThread =
                   dependsOn(graph, value, {Op::ThreadIndex, Op::Lane});
    if ((isOfBlock || isOfThread) && factor > 0)
      return std::nullopt;
    hasBlock |= isOfBlock;
    hasThread |= isOfThread;
    hasSize |= !isOfBlock && !isOfThread && factor > 0 &&
               (dependsOn(graph, value, {Op::Parameter, Op::Uniform}) ||
                isOfArguments(kernel, value));
  }
  if (!hasSize || (!hasBlock && !hasThread))
    return std::nullopt;
  return LastElements{last, /*isOfEachBlock=*/!hasBlock, comparison};
}

namespace {

/// The same for what other conditions limit as well.
class LastElementsOf {
public:
  explicit LastElementsOf(const Kernel &kernel) : kernel_(kernel) {}

  std::optional<LastElements> operator()(ValueId condition,
                                         bool isNegated = false) {
    // The ways to one place have most of their conditions in common.
    const auto [place, isNew] =
        known_.try_emplace({condition, isNegated}, std::nullopt);
    if (!isNew)
      return place->second;
    const auto last = compute(condition, isNegated);
    return known_[{condition, isNegated}] = last;
  }

private:
  std::optional<LastElements> compute(ValueId condition, bool isNegated) {
    const ExpressionGraph &graph = kernel_.graph;
    const Node &node = graph.node(condition);
    if (node.op == Op::Carried) // of what enters the loop
      return (*this)(graph.operand(condition, 0), isNegated);
    if (node.op == Op::Xor && node.bits == 1 && // of the other branch
        graph.isConstant(graph.operand(condition, 1), 1))
      return (*this)(graph.operand(condition, 0), !isNegated);
    if ((node.op != Op::And && node.op != Op::Or) || node.bits != 1)
      return lastElements(kernel_, condition, isNegated);
    // Of several ways to a place each must be for the last elements.
    const bool needsAll = (node.op == Op::Or) != isNegated;
    std::optional<LastElements> most;
    for (ValueId part : graph.operands(condition)) {
      const auto last = (*this)(part, isNegated);
      if (last && !needsAll)
        return last;
      if (!last && needsAll)
        return std::nullopt;
      if (last && (!most || last->count > most->count))
        most = last;
    }
    return most;
  }

  const Kernel &kernel_;
  std::map<std::pair<ValueId, bool>, std::optional<LastElements>> known_;
};

} // namespace

std::optional<LastElements> lastElementsUnder(const Kernel &kernel,
                                              llvm::ArrayRef<LoopId> loops,
                                              ValueId guard) {
  LastElementsOf lastElementsOf(kernel);
  if (const auto last = lastElementsOf(guard))
    return last;
  for (LoopId loop : loops)
    if (const auto last = lastElementsOf(kernel.loops[loop].enters))
      return last;
  return std::nullopt;
}

} // namespace warplint
