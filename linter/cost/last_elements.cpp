#include "cost/last_elements.h"
#include "cost/loop_bound.h"
#include "cost/terms.h"
#include "llvm/ADT/STLExtras.h"

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

/// The same for what other conditions limit as well.
static std::optional<LastElements> lastElementsOf(const Kernel &kernel,
                                                  ValueId condition) {
  const ExpressionGraph &graph = kernel.graph;
  const Node &node = graph.node(condition);
  if (node.op == Op::Carried) // of what enters the loop
    return lastElementsOf(kernel, graph.operand(condition, 0));
  if (node.op == Op::Xor && node.bits == 1 && // of the other branch
      graph.isConstant(graph.operand(condition, 1), 1))
    return lastElements(kernel, graph.operand(condition, 0),
                        /*isNegated=*/true);
  if (node.op != Op::And || node.bits != 1)
    return lastElements(kernel, condition, /*isNegated=*/false);
  for (ValueId part : graph.operands(condition))
    if (const auto last = lastElementsOf(kernel, part))
      return last;
  return std::nullopt;
}

std::optional<LastElements> lastElementsUnder(const Kernel &kernel,
                                              llvm::ArrayRef<LoopId> loops,
                                              ValueId guard) {
  if (const auto last = lastElementsOf(kernel, guard))
    return last;
  for (LoopId loop : loops)
    if (const auto last = lastElementsOf(kernel, kernel.loops[loop].enters))
      return last;
  return std::nullopt;
}

} // namespace warplint
