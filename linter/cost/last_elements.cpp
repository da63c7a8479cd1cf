#include "cost/last_elements.h"
#include "cost/loop_bound.h"
#include "cost/terms.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <vector>

namespace warplint {

/// `sum < limit`.
struct LimitedSum {
  Terms sum;
  int64_t limit = 0;
};

/// Returns the sum that a comparison limits.
static std::optional<LimitedSum>
limitedSum(const ExpressionGraph &graph, ValueId comparison, bool isNegated) {
  while (graph.node(comparison).op == Op::Xor &&
         graph.isConstant(graph.operand(comparison, 1), 1)) {
    comparison = graph.operand(comparison, 0);
    isNegated = !isNegated;
  }
  const Op op = graph.node(comparison).op;
  if (!isComparison(op) || op == Op::Equal || op == Op::NotEqual)
    return std::nullopt;
  const ValueId less = graph.operand(comparison, isNegated),
                more = graph.operand(comparison, !isNegated);
  LimitedSum limited;
  const bool isStrict =
      (op == Op::LessSigned || op == Op::LessUnsigned) != isNegated;
  limited.limit = constantIn(graph, more) - constantIn(graph, less) + !isStrict;
  addTerms(graph, less, 1, limited.sum);
  addTerms(graph, more, -1, limited.sum);
  return limited;
}

/// Returns the last elements of a size for which alone the sum is below its
/// limit; of a limit below 2 the one that lies behind them.
static std::optional<LastElements> lastElements(const Kernel &kernel,
                                                const LimitedSum &limited) {
  const ExpressionGraph &graph = kernel.graph;
  bool hasSize = false, hasBlock = false, hasThread = false;
  for (const auto &[value, factor] : limited.sum) {
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
  return LastElements{std::max<int64_t>(1, limited.limit),
                      /*isOfEachBlock=*/!hasBlock, 0};
}

/// A value that a minimum or a choice may have, and when that is chosen.
struct Choice {
  ValueId value;
  std::optional<ValueId> condition = std::nullopt;
  bool isNegated = false;
};

static std::vector<Choice> choicesOf(const ExpressionGraph &graph,
                                     ValueId value) {
  const llvm::ArrayRef<ValueId> operands = graph.operands(value);
  switch (graph.node(value).op) {
  case Op::MinSigned:
  case Op::MinUnsigned:
    return {{operands[0]}, {operands[1]}};
  case Op::Select:
    return {{operands[1], operands[0]}, {operands[2], operands[0], true}};
  case Op::Join: {
    std::vector<Choice> choices;
    for (size_t i = 0; i + 1 < operands.size(); i += 2)
      choices.push_back({operands[i + 1], operands[i]});
    return choices;
  }
  default:
    return {};
  }
}

/// The same of a sum with minima and choices: it may be below the limit by
/// either operand, as in `min(16, i < n ? n - i : 0) < 16`, or by one alone.
static std::optional<LastElements> lastElementsOfEach(const Kernel &kernel,
                                                      const LimitedSum &limited,
                                                      unsigned &sums,
                                                      unsigned depth = 0) {
  constexpr unsigned mostNested = 4, mostSums = 64;
  if (++sums > mostSums)
    return std::nullopt;
  const ExpressionGraph &graph = kernel.graph;
  std::vector<Choice> choices;
  const auto chosen = llvm::find_if(limited.sum, [&](const auto &term) {
    choices = choicesOf(graph, term.first);
    return !choices.empty() && (choices[0].condition || term.second > 0);
  });
  if (chosen == limited.sum.end() || depth == mostNested)
    return limited.limit < 2 ? std::nullopt : lastElements(kernel, limited);
  std::optional<LastElements> most;
  for (const Choice &choice : choices) {
    LimitedSum other = limited;
    other.sum.erase(chosen->first);
    addTerms(graph, choice.value, chosen->second, other.sum);
    other.limit -= chosen->second * constantIn(graph, choice.value);
    const bool isConstant = other.sum.empty();
    if (isConstant && other.limit < 1)
      continue; // never
    auto last = lastElementsOfEach(kernel, other, sums, depth + 1);
    if (!last && isConstant && choice.condition)
      if (const auto when =
              limitedSum(graph, *choice.condition, choice.isNegated))
        last = lastElements(kernel, *when); // behind the end
    if (!last)
      return std::nullopt;
    if (!most || last->count > most->count)
      most = last;
  }
  return most;
}

static std::optional<LastElements>
lastElements(const Kernel &kernel, ValueId comparison, bool isNegated) {
  const auto limited = limitedSum(kernel.graph, comparison, isNegated);
  unsigned sums = 0;
  auto last =
      limited ? lastElementsOfEach(kernel, *limited, sums) : std::nullopt;
  if (last)
    last->comparison = comparison;
  return last;
}

/// The same for what other conditions limit as well.
std::optional<LastElements> FindLastElements::of(ValueId condition,
                                                 bool isNegated) {
  const auto [place, isNew] =
      known_.try_emplace({condition, isNegated}, std::nullopt);
  if (!isNew)
    return place->second;
  const auto last = compute(condition, isNegated);
  return known_[{condition, isNegated}] = last;
}

std::optional<LastElements> FindLastElements::compute(ValueId condition,
                                                      bool isNegated) {
  const ExpressionGraph &graph = kernel_.graph;
  const Node &node = graph.node(condition);
  if (node.op == Op::Usually && node.bits == 1) // what it rules out is rare
    return node.number != !isNegated
               ? std::optional(LastElements{0, false, condition})
               : std::nullopt;
  if (node.op == Op::Carried) // of what enters the loop
    return of(graph.operand(condition, 0), isNegated);
  if (node.op == Op::Xor && node.bits == 1 && // of the other branch
      graph.isConstant(graph.operand(condition, 1), 1))
    return of(graph.operand(condition, 0), !isNegated);
  if ((node.op != Op::And && node.op != Op::Or) || node.bits != 1)
    return lastElements(kernel_, condition, isNegated);
  // Of several ways to a place each must be for the last elements.
  const bool needsAll = (node.op == Op::Or) != isNegated;
  std::optional<LastElements> most;
  for (ValueId part : graph.operands(condition)) {
    const auto last = of(part, isNegated);
    if (last && last->count && !needsAll)
      return last;
    if (!last && needsAll)
      return std::nullopt;
    if (last && (!most || last->count > most->count))
      most = last;
  }
  return most;
}

std::optional<LastElements>
FindLastElements::operator()(llvm::ArrayRef<LoopId> loops, ValueId guard) {
  std::optional<LastElements> last = of(guard);
  // A condition that limits elements says more than one that is rarely met.
  for (LoopId loop : loops)
    if (!last || !last->count)
      if (const auto ofLoop = of(kernel_.loops[loop].enters))
        last = ofLoop;
  return last;
}

} // namespace warplint
