#include "cost/block_lanes.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

namespace warplint {

unsigned count(const Threads &threads) {
  unsigned sum = 0;
  for (uint32_t lanes : threads)
    sum += llvm::popcount(lanes);
  return sum;
}

unsigned mostInOneWarp(const Threads &threads) {
  unsigned most = 0;
  for (uint32_t lanes : threads)
    most = std::max<unsigned>(most, llvm::popcount(lanes));
  return most;
}

BlockLanes::BlockLanes(const Kernel &kernel, const KernelShape &shape,
                       std::optional<BlockPlace> place)
    : kernel_(kernel), evaluation_(kernel, shape.launches) {
  const uint64_t warps = shape.shape.warps();
  Warp any(evaluation_, shape.shape, /*index=*/0, /*block=*/0, /*trial=*/0);
  any.doubt();
  if (place)
    any.pin(*place);
  for (unsigned index = 0; index < std::min<uint64_t>(warps, 32); ++index)
    warps_.emplace_back(any, index);
}

Threads BlockLanes::may(ValueId condition, const Iterations &iterations) {
  Threads result;
  for (Warp &warp : warps_)
    result.push_back(warp.may(condition, iterations) & warp.lanes());
  return result;
}

Threads BlockLanes::must(ValueId condition, const Iterations &iterations) {
  Threads result;
  for (Warp &warp : warps_)
    result.push_back(warp.must(condition, iterations));
  return result;
}

std::optional<std::vector<double>> BlockLanes::trips(LoopId loop) {
  const ExpressionGraph &graph = kernel_.graph;
  // The other conditions are the same in each iteration.
  std::optional<std::vector<double>> fewest;
  const bool isKnown =
      graph.walk(kernel_.loops[loop].continues, [&](ValueId id) {
        if (!moves(id, loop))
          return ExpressionGraph::Walk::Past;
        // A thread that has left an iteration takes no part in the next one.
        const Node &node = graph.node(id);
        if (node.op == Op::And || (node.op == Op::Carried && node.bits == 1))
          return ExpressionGraph::Walk::Into;
        std::optional<std::vector<double>> trips = tripsUntil(id, loop);
        if (!trips)
          return ExpressionGraph::Walk::Stop;
        if (fewest)
          for (size_t i = 0; i < trips->size(); ++i)
            (*trips)[i] = std::min((*trips)[i], (*fewest)[i]);
        fewest = std::move(trips);
        return ExpressionGraph::Walk::Past;
      });
  return isKnown ? fewest : std::nullopt;
}

std::optional<std::vector<double>> BlockLanes::tripsUntil(ValueId condition,
                                                          LoopId loop) {
  const ExpressionGraph &graph = kernel_.graph;
  const Op op = graph.node(condition).op;
  const bool isInclusive =
      op == Op::LessEqualSigned || op == Op::LessEqualUnsigned;
  if (!isInclusive && op != Op::LessSigned && op != Op::LessUnsigned)
    return std::nullopt;
  ValueId counter = graph.operand(condition, 0),
          bound = graph.operand(condition, 1);
  if (!moves(counter, loop))
    std::swap(counter, bound);
  if (moves(bound, loop))
    return std::nullopt;
  const unsigned bits = graph.node(counter).bits;
  std::vector<double> all;
  for (Warp &warp : warps_) {
    Iterations iterations;
    const uint32_t lanes = warp.lanes();
    const LaneValues end = warp.evaluate(bound, iterations);
    std::array<LaneValues, 3> at;
    bool isKnown = !(end.unknown & lanes) && !end.assumed;
    for (unsigned i = 0; i < at.size(); ++i) {
      iterations[loop] = i;
      at[i] = warp.evaluate(counter, iterations);
      isKnown &= !(at[i].unknown & lanes) && !at[i].assumed;
    }
    if (!isKnown)
      return std::nullopt;
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      if (!(lanes >> lane & 1))
        continue;
      auto signedOf = [&](const LaneValues &values) {
        return double(llvm::SignExtend64(values.value[lane], bits));
      };
      const double first = signedOf(at[0]), step = signedOf(at[1]) - first,
                   length = (signedOf(end) - first) / step;
      // Neither halves nor a counter that runs away from its bound.
      if (step == 0 || signedOf(at[2]) - signedOf(at[1]) != step || length < 0)
        return std::nullopt;
      all.push_back(isInclusive ? std::floor(length) + 1 : std::ceil(length));
    }
  }
  return all;
}

bool BlockLanes::moves(ValueId value, LoopId loop) {
  return evaluation_.loopsOf(value) & ExpressionGraph::loopBit(loop);
}

} // namespace warplint
