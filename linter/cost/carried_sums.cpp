#include "cost/carried_sums.h"

namespace warplint {

ValueId CarriedSums::ownCondition(LoopId loop) const {
  const ValueId whole = kernel_.loops[loop].continues;
  if (graph_.node(whole).op == Op::And)
    for (unsigned side : {0u, 1u})
      if (const ValueId before = graph_.operand(whole, side);
          graph_.node(before).op == Op::Carried &&
          graph_.operand(before, 1) == whole)
        return graph_.operand(whole, 1 - side);
  return whole;
}

const CarriedSum &CarriedSums::of(ValueId carried) {
  // No sum, if it meets itself.
  auto [place, isNew] = sums_.try_emplace(carried);
  if (!isNew)
    return place->second;
  CarriedSum sum;
  sum.loops = ExpressionGraph::loopBit(graph_.node(carried).number);
  sum.isSum = addsTo(graph_.operand(carried, 1), carried, sum);
  return place->second = std::move(sum);
}

/// Returns true if `value` is `target` and what it notes in `sum`.
bool CarriedSums::addsTo(ValueId value, ValueId target, CarriedSum &sum,
                         unsigned depth) {
  constexpr unsigned mostTerms = 8;
  if (value == target)
    return true;
  const Node &node = graph_.node(value);
  if (depth == mostTerms || node.bits != graph_.node(target).bits)
    return false;
  if (node.op == Op::Final)
    return addsBehindLoop(value, target, sum, depth);
  if (node.op != Op::Add)
    return false;
  for (unsigned side : {0u, 1u}) {
    CarriedSum tried = sum;
    if (!addsTo(graph_.operand(value, side), target, tried, depth + 1))
      continue;
    const ValueId term = graph_.operand(value, 1 - side);
    tried.terms.push_back(term);
    tried.loops |= evaluation_.loopsOf(term);
    sum = std::move(tried);
    return true;
  }
  return false;
}

/// The same for a value that an inner loop leaves.
bool CarriedSums::addsBehindLoop(ValueId value, ValueId target, CarriedSum &sum,
                                 unsigned depth) {
  const LoopId loop = graph_.node(value).number;
  auto isOfLoop = [&](ValueId id) {
    return graph_.node(id).op == Op::Carried && graph_.node(id).number == loop;
  };
  CarriedSum::Inner inner;
  uint64_t loops = evaluation_.loopsOf(ownCondition(loop));
  ValueId last = graph_.operand(value, 0);
  for (; graph_.node(last).op == Op::Add; last = graph_.operand(last, 0)) {
    inner.terms.push_back(graph_.operand(last, 1));
    loops |= evaluation_.loopsOf(inner.terms.back());
  }
  if (!isOfLoop(last) || graph_.node(last).bits != graph_.node(value).bits ||
      !addsTo(graph_.operand(last, 0), target, sum, depth + 1))
    return false;
  const CarriedSum &below = of(last);
  if (!below.isSum)
    return false;
  inner.carried = last;
  loops |= below.loops;
  if (loop < 63) // the others share a bit
    loops &= ~ExpressionGraph::loopBit(loop);
  sum.loops |= loops;
  sum.inner.push_back(std::move(inner));
  return true;
}

} // namespace warplint
