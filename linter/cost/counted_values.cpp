#include "cost/counted_values.h"
#include "cost/contention.h"
#include "cost/terms.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace warplint {

namespace {

/// None if one of them is none.
std::optional<double>
most(llvm::ArrayRef<ValueId> choices,
     llvm::function_ref<std::optional<double>(ValueId)> of) {
  std::optional<double> found;
  for (ValueId choice : choices) {
    const auto one = of(choice);
    if (!one)
      return std::nullopt;
    found = std::max(found.value_or(*one), *one);
  }
  return found;
}

/// The values of one loop that it carries from one iteration to the next.
class Counted {
public:
  Counted(const Kernel &kernel, Shape shape, LoopId loop, double iterations)
      : kernel_(kernel), graph_(kernel.graph), shape_(shape), loop_(loop),
        iterations_(iterations) {}

  /// The most that a value is in any iteration.
  std::optional<double> mostOf(ValueId value, unsigned depth = 0) {
    value = withoutResizing(graph_, value);
    if (depth >= mostNested || isSpent())
      return std::nullopt;
    if (const auto choices = alternativesOf(graph_, value); !choices.empty())
      return most(choices,
                  [&](ValueId choice) { return mostOf(choice, depth + 1); });
    if (!isCarried(value))
      return ofSum(value, [&](ValueId part) -> std::optional<double> {
        if (isCarried(part))
          return mostOf(part, depth + 1);
        const auto bounds = boundsOf(kernel_, shape_, part);
        return bounds ? std::optional(double(bounds->high)) : std::nullopt;
      });
    const ValueId next = graph_.operand(value, 1);
    const auto first = mostOf(graph_.operand(value, 0), depth + 1);
    if (!first)
      return std::nullopt;
    if (const auto step = stepOf(value, next, depth + 1))
      return *first + std::max(0.0, *step) * iterations_;
    const auto given = mostGiven(value, next, depth + 1);
    return given ? std::optional(std::max(*first, *given)) : std::nullopt;
  }

private:
  /// Generated code chooses among hundreds of values in each other.
  bool isSpent() { return looked_++ >= mostLooked; }

  bool isCarried(ValueId value) const {
    const Node &node = graph_.node(value);
    return node.op == Op::Carried && node.number == loop_;
  }

  /// What one iteration adds at most; none if it does not go on with itself.
  std::optional<double> stepOf(ValueId carried, ValueId next, unsigned depth) {
    next = withoutResizing(graph_, next);
    if (isSpent())
      return std::nullopt;
    if (next == carried)
      return 0;
    if (const auto choices = alternativesOf(graph_, next);
        !choices.empty() && depth < mostNested)
      return most(choices, [&](ValueId choice) {
        return stepOf(carried, choice, depth + 1);
      });
    Terms terms;
    addTerms(graph_, next, 1, terms);
    return terms == Terms{{carried, 1}}
               ? std::optional(double(constantIn(graph_, next)))
               : std::nullopt;
  }

  /// The most of what one iteration puts in the place of a value, if it is made
  /// of others: `radius = q`.
  std::optional<double> mostGiven(ValueId carried, ValueId next,
                                  unsigned depth) {
    next = withoutResizing(graph_, next);
    if (isSpent())
      return std::nullopt;
    if (next == carried)
      return -HUGE_VAL;
    if (const auto choices = alternativesOf(graph_, next);
        !choices.empty() && depth < mostNested)
      return most(choices, [&](ValueId choice) {
        return mostGiven(carried, choice, depth + 1);
      });
    const bool isOfItself = !graph_.walk(next, [&](ValueId part) {
      return part == carried ? ExpressionGraph::Walk::Stop
                             : ExpressionGraph::Walk::Into;
    });
    return isOfItself ? std::nullopt : mostOf(next, depth + 1);
  }

  /// The most of a value and a constant: `i + 4`.
  std::optional<double>
  ofSum(ValueId sum,
        llvm::function_ref<std::optional<double>(ValueId)> ofPart) const {
    Terms terms;
    addTerms(graph_, sum, 1, terms);
    double all = double(constantIn(graph_, sum));
    for (const auto &[value, factor] : terms) {
      const auto part = factor == 1 ? ofPart(value) : std::nullopt;
      if (!part)
        return std::nullopt;
      all += *part;
    }
    return all;
  }

  static constexpr unsigned mostNested = 8, mostLooked = 256;
  unsigned looked_ = 0;
  const Kernel &kernel_;
  const ExpressionGraph &graph_;
  const Shape shape_;
  const LoopId loop_;
  const double iterations_;
};

std::optional<double>
afterLoop(const Kernel &kernel, Shape shape, ValueId value,
          llvm::function_ref<double(LoopId)> iterationsOf) {
  const ExpressionGraph &graph = kernel.graph;
  value = withoutResizing(graph, value);
  const Node &node = graph.node(value);
  if (node.op != Op::Final || node.number >= kernel.loops.size())
    return std::nullopt;
  const LoopId loop = node.number;
  return Counted(kernel, shape, loop, iterationsOf(loop))
      .mostOf(graph.operand(value, 0));
}

} // namespace

std::optional<double>
mostCounted(const Kernel &kernel, Shape shape, ValueId value,
            llvm::function_ref<double(LoopId)> iterationsOf) {
  const ExpressionGraph &graph = kernel.graph;
  value = withoutResizing(graph, value);
  // A loop that may not be entered leaves what there was before.
  if (const auto choices = alternativesOf(graph, value); !choices.empty())
    return most(choices, [&](ValueId choice) -> std::optional<double> {
      if (const auto bounds = boundsOf(kernel, shape, choice))
        return double(bounds->high);
      return afterLoop(kernel, shape, choice, iterationsOf);
    });
  return afterLoop(kernel, shape, value, iterationsOf);
}

} // namespace warplint
