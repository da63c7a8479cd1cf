#include "cost/slowest_lanes.h"
#include "cost/launched_warps.h"
#include "cost/terms.h"
#include "os/deadline.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

namespace warplint {

std::optional<Slowest>
countOfSlowest(Evaluation &evaluation, const KernelShape &shape, LoopId loop,
               ValueId counter, ValueId bound,
               llvm::function_ref<double(double, double, double)> between) {
  const ExpressionGraph &graph = evaluation.kernel.graph;
  auto differs = [&](ValueId end) {
    return dependsOn(graph, end, {Op::ThreadIndex, Op::BlockIndex, Op::Lane});
  };
  if (!differs(counter) && !differs(bound))
    return std::nullopt;
  const unsigned warps = shape.shape.warps();
  const unsigned parts = std::min(warps, 8u);
  // Of an unknown grid, any block stands for all.
  std::vector<std::optional<BlockPlace>> blocks;
  size_t typical = 1;
  if (!shape.launches.empty() && shape.launches.front().blocks().value_or(0)) {
    for (const BlockPlace &block : sampleOfGrid(shape.launches.front()))
      blocks.push_back(block);
    typical = blocks.size();
    // As a rule, the first or the last one has most to do.
    BlockPlace last;
    for (unsigned d = 0; d < 3; ++d)
      last[d] = *shape.launches.front().grid[d] - 1;
    blocks.push_back(BlockPlace{});
    blocks.push_back(last);
  } else {
    blocks.push_back(std::nullopt);
  }
  const unsigned bits = graph.node(counter).bits;
  double sum = 0, fewest = HUGE_VAL, most = 0;
  unsigned entered = 0, blocksEntered = 0;
  Slowest result;
  for (size_t at = 0; at < blocks.size(); ++at) {
    Warp first(evaluation, shape.shape, 0, 0, /*trial=*/0);
    if (blocks[at])
      first.pin(*blocks[at]);
    double sumOfBlock = 0, mostOfBlock = 0;
    unsigned enteredInBlock = 0;
    for (unsigned part = 0; part < parts; ++part) {
      if (isOverdue())
        return std::nullopt;
      Warp warp(first, middleOf(part, parts, warps));
      const uint32_t lanes = warp.may(evaluation.kernel.loops[loop].enters, {});
      if (!lanes)
        continue;
      Iterations second;
      second[loop] = 1;
      const LaneValues from = warp.evaluate(counter, {}),
                       to = warp.evaluate(bound, {}),
                       next = warp.evaluate(counter, second);
      if ((from.unknown | next.unknown | to.unknown) & lanes || from.assumed ||
          next.assumed || to.assumed)
        return std::nullopt;
      double slowest = 0;
      for (unsigned lane = 0; lane < warpSize; ++lane) {
        if (!(lanes >> lane & 1))
          continue;
        const double count = between(llvm::SignExtend64(from.value[lane], bits),
                                     llvm::SignExtend64(next.value[lane], bits),
                                     llvm::SignExtend64(to.value[lane], bits));
        if (!std::isfinite(count))
          return std::nullopt;
        fewest = std::min(fewest, std::max(0.0, count));
        slowest = std::max(slowest, count);
      }
      mostOfBlock = std::max(mostOfBlock, slowest);
      sumOfBlock += slowest;
      ++enteredInBlock;
    }
    if (!enteredInBlock)
      continue;
    most = std::max(most, mostOfBlock);
    result.meanOfBlock =
        std::max(result.meanOfBlock, sumOfBlock / enteredInBlock);
    if (at >= typical)
      continue;
    sum += sumOfBlock;
    entered += enteredInBlock;
    result.ofBlock += mostOfBlock;
    ++blocksEntered;
  }
  if (!entered || most - fewest <= 1)
    return std::nullopt;
  result.mean = sum / entered;
  result.ofBlock /= blocksEntered;
  result.ofAll = most;
  return result;
}

} // namespace warplint
