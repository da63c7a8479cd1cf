#include "cost/left_over.h"
#include "cost/contention.h"
#include "cost/counted_values.h"
#include "cost/terms.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace warplint {

namespace {

/// A sum with its constant.
struct Sum {
  Terms terms;
  int64_t constant = 0;
};

void add(const ExpressionGraph &graph, ValueId value, int64_t factor,
         Sum &sum) {
  addTerms(graph, value, factor, sum.terms);
  sum.constant += factor * constantIn(graph, value);
}

/// The values of other loops' last iterations among which a value is chosen.
void addEnds(const ExpressionGraph &graph, ValueId value,
             std::vector<ValueId> &ends) {
  value = withoutResizing(graph, value);
  const Node &node = graph.node(value);
  const llvm::ArrayRef<ValueId> operands = graph.operands(value);
  if (node.op == Op::Final)
    ends.push_back(value);
  else if (node.op == Op::Select)
    for (ValueId choice : operands.drop_front())
      addEnds(graph, choice, ends);
  else if (node.op == Op::Join)
    for (unsigned i = 1; i < operands.size(); i += 2)
      addEnds(graph, operands[i], ends);
}

/// What has to hold for another iteration of a loop, apart from that it holds
/// in all earlier ones. The whole of two conditions: one of them may have ended
/// the loop far from the bound of the other.
ValueId onlyCondition(const Kernel &kernel, LoopId loop) {
  const ExpressionGraph &graph = kernel.graph;
  const ValueId whole = kernel.loops[loop].continues;
  if (graph.node(whole).op != Op::And)
    return whole;
  const llvm::ArrayRef<ValueId> both = graph.operands(whole);
  for (unsigned i : {0u, 1u})
    if (graph.node(both[i]).op == Op::Carried &&
        graph.operand(both[i], 1) == whole)
      return both[1 - i];
  return whole;
}

/// What a value is the quotient by; none if that is no constant.
std::optional<int64_t> divisorOf(const ExpressionGraph &graph, ValueId value) {
  const Op op = graph.node(value).op;
  const bool isShift =
      op == Op::ShiftRightSigned || op == Op::ShiftRightUnsigned;
  if (!isShift && op != Op::DivideSigned && op != Op::DivideUnsigned)
    return std::nullopt;
  const Node &node = graph.node(graph.operand(value, 1));
  constexpr unsigned mostBits = 31;
  if (node.op != Op::Constant || node.number > (isShift ? mostBits : INT32_MAX))
    return std::nullopt;
  return isShift ? int64_t(1) << node.number : int64_t(node.number);
}

} // namespace

std::optional<int64_t> leftByLoop(const Kernel &kernel, LoopId loop,
                                  ValueId counter, ValueId bound) {
  const ExpressionGraph &graph = kernel.graph;
  Sum left;
  add(graph, bound, 1, left);
  add(graph, counter, -1, left);
  auto own = llvm::find_if(left.terms, [&](const auto &term) {
    const Node &node = graph.node(term.first);
    return node.op == Op::Carried && node.number == loop && term.second == -1;
  });
  if (own == left.terms.end())
    return std::nullopt;
  std::vector<ValueId> ends;
  addEnds(graph, graph.operand(own->first, 0), ends);
  left.terms.erase(own);
  for (ValueId end : ends) {
    const LoopId before = graph.node(end).number;
    if (before >= kernel.loops.size() || before == loop)
      continue;
    const ValueId condition = onlyCondition(kernel, before);
    const Op op = graph.node(condition).op;
    const bool isLess = op == Op::LessSigned || op == Op::LessUnsigned;
    if (!isLess && op != Op::LessEqualSigned && op != Op::LessEqualUnsigned)
      continue;
    // The loop before ends with a difference of 0, or of -1 after `<=`.
    Sum rest = left;
    add(graph, graph.operand(end, 0), -1, rest);
    add(graph, graph.operand(condition, 1), -1, rest);
    add(graph, graph.operand(condition, 0), 1, rest);
    if (rest.terms.empty())
      return rest.constant - !isLess;
  }
  return std::nullopt;
}

/// Of one end of a counter that moves down or up.
static std::optional<double>
mostTo(const Kernel &kernel, Shape shape, ValueId counter, ValueId bound,
       bool isDown, llvm::function_ref<double(LoopId)> iterationsOf) {
  const ExpressionGraph &graph = kernel.graph;
  Sum length;
  add(graph, bound, isDown ? -1 : 1, length);
  add(graph, graph.operand(counter, 0), isDown ? 1 : -1, length);
  double most = 0;
  // From `n / 4 * 4` to `n` it is what the division leaves.
  for (const auto &[value, factor] : Terms(length.terms))
    if (const auto divisor = divisorOf(graph, value);
        divisor && factor == -*divisor) {
      length.terms.erase(value);
      add(graph, graph.operand(value, 0), -1, length);
      most += double(*divisor - 1);
    }
  most += double(length.constant);
  for (const auto &[value, factor] : length.terms) {
    std::optional<double> end;
    if (const auto bounds = boundsOf(kernel, shape, value))
      end = double(factor < 0 ? bounds->low : bounds->high);
    else if (factor > 0)
      end = mostCounted(kernel, shape, value, iterationsOf);
    if (!end)
      return std::nullopt;
    most += double(factor) * *end;
  }
  return most;
}

std::optional<double>
mostBetween(const Kernel &kernel, Shape shape, ValueId counter, ValueId bound,
            llvm::function_ref<double(LoopId)> iterationsOf) {
  const ExpressionGraph &graph = kernel.graph;
  if (graph.node(counter).op != Op::Carried)
    return std::nullopt;
  const std::optional<int64_t> step = constantStep(graph, counter);
  if (!step)
    return std::nullopt;
  const bool isDown = *step < 0;
  auto to = [&](ValueId end) {
    return mostTo(kernel, shape, counter, end, isDown, iterationsOf);
  };
  // Each value of a minimum limits a counter that moves up: of
  // `min(first + 16, n)`, 16 from `first`.
  std::optional<double> least = to(bound);
  if (!isDown)
    for (ValueId end : valuesOfMinimum(graph, bound))
      if (const auto most = to(end); most && (!least || *most < *least))
        least = most;
  return least;
}

} // namespace warplint
