#include "cost/loop_bound.h"
#include "cost/arrival.h"
#include "cost/terms.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <array>

namespace warplint {

namespace {

using Walk = ExpressionGraph::Walk;

/// Returns true if `value` is made of constants and the counters of loops that
/// constants limit. A minimum needs one such operand.
bool isOfConstants(const Kernel &kernel, ValueId value, LoopId loop) {
  const ExpressionGraph &graph = kernel.graph;
  return graph.walk(value, [&](ValueId id) {
    const Node &node = graph.node(id);
    switch (node.op) {
    case Op::Parameter:
    case Op::Uniform:
    case Op::Varying:
    case Op::Loaded:
    case Op::Forwarded:
    case Op::Usually:
    case Op::ThreadIndex:
    case Op::BlockIndex:
    case Op::BlockSize:
    case Op::GridSize:
    case Op::Lane:
    case Op::Base:
    case Op::FromLane:
    case Op::Ballot:
    case Op::Opaque:
      return Walk::Stop;
    case Op::MinSigned:
    case Op::MinUnsigned:
      return llvm::any_of(graph.operands(id),
                          [&](ValueId operand) {
                            return graph.node(operand).op == Op::Constant;
                          })
                 ? Walk::Past
                 : Walk::Into;
    case Op::Carried:
      // The loop's own counter is walked into: where it begins, and its step.
      return node.number < loop && !isLimitedByConstants(kernel, node.number)
                 ? Walk::Stop
                 : Walk::Into;
    default:
      return Walk::Into;
    }
  });
}

/// Returns true if `isSuch` is true of a comparison with the loop's counter
/// that the next iteration depends on.
bool anyLimit(const Kernel &kernel, LoopId loop,
              llvm::function_ref<bool(ValueId)> isSuch) {
  const ExpressionGraph &graph = kernel.graph;
  const std::vector<uint64_t> &loops = graph.loopsOf();
  return !graph.walk(kernel.loops[loop].continues, [&](ValueId id) {
    const Node &node = graph.node(id);
    // `a || b` of C++ is a selection: `a ? true : b`.
    if (node.bits == 1 && (node.op == Op::And || node.op == Op::Or ||
                           node.op == Op::Xor || node.op == Op::Select))
      return Walk::Into;
    const bool isLimit = isComparison(node.op) &&
                         (loops[id] & ExpressionGraph::loopBit(loop)) &&
                         isSuch(id);
    return isLimit ? Walk::Stop : Walk::Past;
  });
}

} // namespace

bool isLimitedByConstants(const Kernel &kernel, LoopId loop) {
  if (kernel.loops[loop].tripCount)
    return true;
  // Each term of the conjunction limits the loop by itself. It may stand as the
  // negation of a disjunction; a disjunction is taken for one.
  return anyLimit(kernel, loop, [&](ValueId limit) {
    return isOfConstants(kernel, limit, loop);
  });
}

/// Choices that are followed into each other.
constexpr unsigned deepest = 4;

static std::optional<int64_t> leastConstant(const ExpressionGraph &graph,
                                            ValueId bound, unsigned depth);

/// The constant that `value` stays below, or is, where `condition` is `holds`:
/// 'end > x' is what lets 'end = x' execute.
static std::optional<int64_t> constantAbove(const ExpressionGraph &graph,
                                            ValueId value, ValueId condition,
                                            bool holds, unsigned depth) {
  if (const auto own = leastConstant(graph, value, depth))
    return own;
  const Node &node = graph.node(condition);
  auto at = [&](unsigned i) {
    return withoutResizing(graph, graph.operand(condition, i));
  };
  if (node.op == Op::Xor && node.bits == 1)
    return constantAbove(graph, value, at(0), !holds, depth);
  const bool isLess = isComparison(node.op) && node.op >= Op::LessSigned;
  const unsigned larger = holds ? 1 : 0;
  return isLess && at(1 - larger) == withoutResizing(graph, value)
             ? leastConstant(graph, at(larger), depth)
             : std::nullopt;
}

/// The least constant that `bound` is, is a minimum with, or is compared with
/// before it is taken; none if it may be larger.
static std::optional<int64_t> leastConstant(const ExpressionGraph &graph,
                                            ValueId bound, unsigned depth) {
  if (depth > deepest)
    return std::nullopt;
  const Node &node = graph.node(bound);
  const llvm::ArrayRef<ValueId> operands = graph.operands(bound);
  auto largest = [](std::optional<int64_t> a, std::optional<int64_t> b) {
    return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
  };
  switch (node.op) {
  case Op::Constant:
    return llvm::SignExtend64(node.number, node.bits);
  case Op::SignExtend:
  case Op::Resize:
    return leastConstant(graph, operands[0], depth);
  case Op::MinSigned:
  case Op::MinUnsigned: {
    const auto one = leastConstant(graph, operands[0], depth + 1),
               other = leastConstant(graph, operands[1], depth + 1);
    return one && other ? std::min(one, other) : one ? one : other;
  }
  case Op::Select:
    return largest(
        constantAbove(graph, operands[1], operands[0], true, depth + 1),
        constantAbove(graph, operands[2], operands[0], false, depth + 1));
  case Op::Join: {
    auto all = constantAbove(graph, operands[1], operands[0], true, depth + 1);
    for (unsigned i = 3; i < operands.size() && all; i += 2)
      all = largest(all, constantAbove(graph, operands[i], operands[i - 1],
                                       true, depth + 1));
    return all;
  }
  default:
    return std::nullopt;
  }
}

namespace {

using Range = std::optional<NumberRange>;

Range rangeOver(NumberRange a, NumberRange b) {
  return NumberRange{std::min(a.least, b.least), std::max(a.most, b.most)};
}

/// The range between the results of an operation on the ends of two others; none
/// if one is no number of 32 bits.
Range rangeOfEnds(NumberRange a, NumberRange b,
                  llvm::function_ref<int64_t(int64_t, int64_t)> operation) {
  const std::array<int64_t, 4> ends = {
      operation(a.least, b.least), operation(a.least, b.most),
      operation(a.most, b.least), operation(a.most, b.most)};
  const auto [least, most] = std::minmax_element(ends.begin(), ends.end());
  if (!llvm::isInt<32>(*least) || !llvm::isInt<32>(*most))
    return std::nullopt;
  return NumberRange{*least, *most};
}

/// Of a counter that grows or falls by a constant.
Range rangeOfCounter(const Kernel &kernel, ValueId counter, LoopId loop) {
  const ExpressionGraph &graph = kernel.graph;
  const LoopId of = graph.node(counter).number;
  const auto step = constantStep(graph, counter);
  const std::vector<LoopId> nest = kernel.nestOf(loop);
  if (!step || !llvm::is_contained(llvm::drop_end(nest), of))
    return std::nullopt;
  const auto iterations = mostIterations(kernel, of);
  const Range first = rangeOfCounters(kernel, graph.operand(counter, 0), of);
  if (!iterations || !first || *iterations > 1 << 20)
    return std::nullopt;
  const int64_t moved = *step * int64_t(*iterations - 1);
  return rangeOver(*first, {first->least + moved, first->most + moved});
}

} // namespace

Range rangeOfCounters(const Kernel &kernel, ValueId value, LoopId loop) {
  const ExpressionGraph &graph = kernel.graph;
  const Node &node = graph.node(value);
  const llvm::ArrayRef<ValueId> operands = graph.operands(value);
  auto at = [&](unsigned i) {
    return rangeOfCounters(kernel, operands[i], loop);
  };
  auto ofEnds = [&](llvm::function_ref<int64_t(int64_t, int64_t)> operation) {
    const Range a = at(0), b = a ? at(1) : std::nullopt;
    return b ? rangeOfEnds(*a, *b, operation) : std::nullopt;
  };
  switch (node.op) {
  case Op::Constant: {
    const int64_t number = llvm::SignExtend64(node.number, node.bits);
    return llvm::isInt<32>(number) ? Range(NumberRange{number, number})
                                   : std::nullopt;
  }
  case Op::Carried:
    return rangeOfCounter(kernel, value, loop);
  case Op::Add:
    return ofEnds([](int64_t a, int64_t b) { return a + b; });
  case Op::Subtract:
    return ofEnds([](int64_t a, int64_t b) { return a - b; });
  case Op::Multiply:
    return ofEnds([](int64_t a, int64_t b) { return a * b; });
  case Op::MinSigned:
    return ofEnds([](int64_t a, int64_t b) { return std::min(a, b); });
  case Op::MaxSigned:
    return ofEnds([](int64_t a, int64_t b) { return std::max(a, b); });
  case Op::SignExtend:
    return at(0);
  case Op::Resize: {
    const Range range = at(0);
    const bool isWider = node.bits > graph.node(operands[0]).bits;
    return range && isWider && range->least < 0 ? std::nullopt : range;
  }
  case Op::And:
  case Op::RemainderSigned:
  case Op::RemainderUnsigned: {
    const Range range = at(0), by = range ? at(1) : std::nullopt;
    if (!by || by->least != by->most || by->least <= 0 || range->least < 0)
      return std::nullopt;
    const int64_t most = by->most - (node.op != Op::And);
    return NumberRange{0, std::min(range->most, most)};
  }
  case Op::Select: {
    const Range yes = at(1), no = yes ? at(2) : std::nullopt;
    return no ? rangeOver(*yes, *no) : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

/// By the comparison `limit` of a loop; none if it is of another form.
static std::optional<LimitedCounter>
limitedBy(const Kernel &kernel, LoopId loop, ValueId limit) {
  const ExpressionGraph &graph = kernel.graph;
  const Op op = graph.node(limit).op;
  const bool isLess = op == Op::LessSigned || op == Op::LessUnsigned;
  if (!isLess && op != Op::LessEqualSigned && op != Op::LessEqualUnsigned)
    return std::nullopt;
  // '!(end <= i)' is 'i < end'.
  const bool isNegated = !(graph.loopsOf()[graph.operand(limit, 0)] &
                           ExpressionGraph::loopBit(loop));
  const ValueId moving = graph.operand(limit, isNegated),
                bound = graph.operand(limit, !isNegated);
  Terms position;
  addTerms(graph, moving, 1, position);
  if (position.size() != 1 || position.begin()->second != 1)
    return std::nullopt;
  const ValueId counter = position.begin()->first;
  const Node &node = graph.node(counter);
  if (node.op != Op::Carried || node.number != loop)
    return std::nullopt;
  const int64_t step = constantStep(graph, counter).value_or(0);
  const Range first = rangeOfCounters(kernel, graph.operand(counter, 0), loop),
              bounds = rangeOfCounters(kernel, bound, loop);
  if (step < 0) {
    // 'end < i', or '!(i <= end)'; a number without a sign may go on below 0.
    const bool isSigned = op == Op::LessSigned || op == Op::LessEqualSigned;
    if (!first || !bounds || !(isNegated || isSigned))
      return std::nullopt;
    const int64_t beyond = first->most + constantIn(graph, moving) -
                           bounds->least - (isLess == isNegated);
    return LimitedCounter{
        counter, uint64_t(std::max<int64_t>(1, beyond / -step + 2))};
  }
  const auto end =
      bounds ? std::optional(bounds->most) : leastConstant(graph, bound, 0);
  if (step < 1 || !first || !end)
    return std::nullopt;
  // The last iteration is the first one after which the limit is reached.
  const int64_t beyond = *end - (isLess != isNegated) -
                         constantIn(graph, moving) - first->least;
  return LimitedCounter{
      counter, uint64_t(std::max<int64_t>(1, beyond / step + 2))};
}

std::optional<LimitedCounter> limitedCounter(const Kernel &kernel,
                                             LoopId loop) {
  std::optional<LimitedCounter> found;
  anyLimit(kernel, loop, [&](ValueId limit) {
    found = limitedBy(kernel, loop, limit);
    return found.has_value();
  });
  return found;
}

std::optional<uint64_t> mostIterations(const Kernel &kernel, LoopId loop) {
  if (kernel.loops[loop].tripCount)
    return kernel.loops[loop].tripCount;
  const auto limited = limitedCounter(kernel, loop);
  return limited ? std::optional(limited->iterations) : std::nullopt;
}

bool dividesAmongThreads(const Kernel &kernel, LoopId loop) {
  return anyLimit(kernel, loop, [&](ValueId limit) {
    return dependsOnThread(kernel, limit);
  });
}

bool isOfArguments(const Kernel &kernel, ValueId value) {
  const ExpressionGraph &graph = kernel.graph;
  bool isArgument = false;
  const bool isWhole = graph.walk(value, [&](ValueId id) {
    const Node &node = graph.node(id);
    switch (node.op) {
    case Op::Parameter:
    case Op::BlockSize:
      isArgument = true;
      return Walk::Past;
    case Op::Base: {
      const Space space = kernel.objects[node.number].space;
      if (space != Space::Parameter && space != Space::Constant)
        return Walk::Stop;
      isArgument = true;
      return Walk::Into;
    }
    case Op::Loaded:
      return node.pointer ? Walk::Stop : Walk::Into;
    case Op::Usually:
    case Op::Constant:
    case Op::Add:
    case Op::Subtract:
    case Op::Multiply:
    case Op::DivideSigned:
    case Op::DivideUnsigned:
    case Op::RemainderSigned:
    case Op::RemainderUnsigned:
    case Op::ShiftLeft:
    case Op::ShiftRightSigned:
    case Op::ShiftRightUnsigned:
    case Op::And:
    case Op::SignExtend:
    case Op::Resize:
      return Walk::Into;
    default:
      return Walk::Stop;
    }
  });
  return isWhole && isArgument;
}

bool isBoundByArguments(const Kernel &kernel, LoopId loop) {
  return kernel.loops[loop].hasBound &&
         isOfArguments(kernel, kernel.loops[loop].bound);
}

Length lengthOf(const Kernel &kernel, LoopId loop) {
  const ExpressionGraph &graph = kernel.graph;
  const std::vector<uint64_t> &loops = graph.loopsOf();
  auto moves = [&](ValueId value) {
    return (loops[value] & ExpressionGraph::loopBit(loop)) != 0;
  };
  Length found;
  anyLimit(kernel, loop, [&](ValueId limit) {
    ValueId moving = graph.operand(limit, 0), bound = graph.operand(limit, 1);
    if (!moves(moving))
      std::swap(moving, bound);
    if (moves(bound))
      return false;
    Terms position, start, end;
    addTerms(graph, moving, 1, position);
    addTerms(graph, bound, 1, end);
    // The counter, and what is added to it.
    bool isCounted = false;
    for (const auto &[value, factor] : position) {
      const Node &node = graph.node(value);
      if (node.op != Op::Carried || node.number != loop) {
        if (moves(value))
          return false;
        addTerms(graph, value, factor, start);
        continue;
      }
      if (isCounted || !constantStep(graph, value))
        return false;
      isCounted = true;
      addTerms(graph, graph.operand(value, 0), factor, start);
    }
    Terms length = end;
    for (const auto &[value, factor] : start)
      if ((length[value] -= factor) == 0)
        length.erase(value);
    const bool isOfThem = llvm::all_of(length, [&](const auto &term) {
      return isOfArguments(kernel, term.first);
    });
    if (!isCounted || !isOfThem || length.empty())
      return false;
    for (const auto &[value, factor] : length)
      found.arguments.push_back(value);
    const ValueId first = found.arguments.front();
    found.isWindow = length.size() == 1 && start.count(first) &&
                     end.count(first) && start[first] == -end[first];
    return true;
  });
  return found;
}

std::optional<uint64_t> iterationsInArray(const Kernel &kernel, LoopId loop) {
  const ExpressionGraph &graph = kernel.graph;
  std::optional<uint64_t> least;
  const std::vector<uint64_t> &loops = graph.loopsOf();
  for (const Access &access : kernel.accesses) {
    if (access.bytes == 0 || access.loops.empty() ||
        access.loops.back() != loop ||
        !(loops[access.address] & ExpressionGraph::loopBit(loop)))
      continue;
    // A remainder, or a loaded index that the counter leads to, leaves the loop
    // as long as it likes.
    const auto moved = bytesOfStep(graph, access.address, loop);
    if (moved.value_or(0) == 0)
      continue;
    const uint64_t step = std::max<uint64_t>(access.bytes, std::abs(*moved));
    graph.walk(access.address, [&](ValueId id) {
      const Node &node = graph.node(id);
      if (node.op != Op::Base)
        return node.op == Op::Loaded ? Walk::Past : Walk::Into;
      const Object &object = kernel.objects[node.number];
      const bool isArray = object.space == Space::Local ||
                           object.space == Space::Shared ||
                           object.space == Space::Constant;
      if (isArray && object.bytes)
        least = std::min(least.value_or(~uint64_t(0)), object.bytes / step);
      return Walk::Past;
    });
  }
  return least;
}

} // namespace warplint
