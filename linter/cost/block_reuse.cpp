#include "cost/block_reuse.h"
#include "cost/steady.h"
#include "model/may_be_global.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <set>

namespace warplint {

namespace {

/// Iterations of a loop inside the one with the barrier: enough to fill the
/// sectors of a row of bytes.
constexpr unsigned iterationsTried = 32;

unsigned warpsOf(Shape shape) {
  return std::min<uint64_t>(shape.warps(), 32);
}

/// The loops around an access that are inside all loops with a barrier.
std::vector<LoopId> withoutBarrier(const Kernel &kernel, const Access &access) {
  std::vector<LoopId> inner;
  for (LoopId loop : llvm::reverse(access.loops)) {
    if (kernel.loops[loop].hasBarrier)
      break;
    inner.push_back(loop);
  }
  return inner;
}

/// Calls `visit` for the iterations of `loops`, the innermost first; stops when
/// it returns false.
bool forEach(const Kernel &kernel, llvm::ArrayRef<LoopId> loops,
             Iterations &iterations,
             llvm::function_ref<bool(const Iterations &)> visit) {
  if (loops.empty())
    return visit(iterations);
  const unsigned count = std::min<uint64_t>(
      kernel.loops[loops.back()].tripCount.value_or(iterationsTried),
      iterationsTried);
  for (unsigned i = 0; i < count; ++i) {
    iterations[loops.back()] = i;
    if (!forEach(kernel, loops.drop_back(), iterations, visit))
      return false;
  }
  iterations[loops.back()] = 0;
  return true;
}

/// The sectors of one request.
using Sectors = std::set<uint64_t>;

std::optional<Sectors> sectorsOf(Warp &warp, const Access &access,
                                 const Iterations &iterations, unsigned bytes) {
  const uint32_t active = warp.may(access.guard, iterations) & warp.lanes();
  const LaneValues &address = warp.evaluate(access.address, iterations);
  if (address.unknown & active)
    return std::nullopt;
  Sectors sectors;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if (active >> lane & 1)
      for (uint64_t sector = address.value[lane] / bytes;
           sector <=
           (address.value[lane] + std::max(1u, access.bytes) - 1) / bytes;
           ++sector)
        sectors.insert(sector);
  return sectors;
}

/// Returns true if the value comes from an operation that the evaluation does
/// not follow, of something that `isSource`, or from other lanes: what it is in
/// one warp or block says nothing about another one.
bool isLost(const ExpressionGraph &graph, ValueId value,
            llvm::function_ref<bool(Op)> isSource) {
  using Walk = ExpressionGraph::Walk;
  return !graph.walk(value, [&](ValueId id) {
    switch (graph.node(id).op) {
    case Op::FromLane:
    case Op::Ballot:
    case Op::Varying:
      return Walk::Stop;
    case Op::Opaque:
      return graph.walk(id,
                        [&](ValueId behind) {
                          return isSource(graph.node(behind).op) ? Walk::Stop
                                                                 : Walk::Into;
                        })
                 ? Walk::Past
                 : Walk::Stop;
    default:
      return Walk::Into;
    }
  });
}

} // namespace

std::optional<Footprint> blockFootprint(const Kernel &kernel, Shape shape,
                                        const Access &access) {
  constexpr size_t most = 1 << 16; // of bytes that are told apart
  const unsigned bytes = std::max(1u, access.bytes);
  const std::vector<LoopId> inner = withoutBarrier(kernel, access);
  Evaluation evaluation(kernel);
  llvm::DenseSet<uint64_t> starts;
  for (unsigned index = 0; index < warpsOf(shape); ++index) {
    Warp warp(evaluation, shape, index, /*block=*/0, /*trial=*/0);
    Iterations iterations;
    const bool isKnown =
        forEach(kernel, inner, iterations, [&](const Iterations &now) {
          const uint32_t active = warp.may(access.guard, now) & warp.lanes();
          const LaneValues &address = warp.evaluate(access.address, now);
          for (unsigned lane = 0; lane < warpSize; ++lane)
            if (active >> lane & 1)
              starts.insert(address.value[lane]);
          return !(address.unknown & active) && starts.size() < most;
        });
    if (!isKnown && starts.size() < most)
      return std::nullopt;
  }
  // Sizes that are not known let no thread get there.
  if (starts.empty())
    return std::nullopt;
  llvm::DenseSet<uint64_t> sectors;
  for (uint64_t start : starts)
    for (uint64_t sector = start / sectorBytes;
         sector <= (start + bytes - 1) / sectorBytes; ++sector)
      sectors.insert(sector);
  Footprint result;
  result.sectors = sectors.size();
  result.idealSectors = std::max<size_t>(
      1, (starts.size() * bytes + sectorBytes - 1) / sectorBytes);
  return result;
}

bool isFilledByBlock(const Kernel &kernel, Shape shape, const Access &access) {
  const auto block = blockFootprint(kernel, shape, access);
  return block && block->sectors < 2 * block->idealSectors;
}

std::optional<double> warpsPerRequest(const Kernel &kernel, Shape shape,
                                      const Access &access, unsigned bytes) {
  if (isLost(kernel.graph, access.address,
             [](Op op) { return op == Op::ThreadIndex || op == Op::Lane; }))
    return std::nullopt;
  std::optional<double> least;
  for (unsigned trial : {0u, 2u}) {
    Evaluation evaluation(kernel);
    const Iterations iterations;
    std::set<Sectors> requests;
    unsigned warps = 0;
    for (unsigned index = 0; index < warpsOf(shape); ++index) {
      Warp warp(evaluation, shape, index, /*block=*/0, trial);
      auto sectors = sectorsOf(warp, access, iterations, bytes);
      if (!sectors)
        return std::nullopt;
      if (sectors->empty())
        continue;
      ++warps;
      requests.insert(std::move(*sectors));
    }
    if (!warps)
      continue;
    const double shared = double(warps) / requests.size();
    least = std::min(least.value_or(shared), shared);
  }
  return least;
}

bool isSameForBlocks(const Kernel &kernel, Shape shape, const Access &access,
                     unsigned dimension) {
  if (isLost(kernel.graph, access.address,
             [](Op op) { return op == Op::BlockIndex; }))
    return false;
  Evaluation evaluation(kernel);
  const Iterations iterations;
  for (unsigned trial : {0u, 2u}) {
    Warp one(evaluation, shape, 0, /*block=*/0, trial);
    BlockPlace next = one.block();
    ++next[dimension];
    Warp other(one, next);
    const LaneValues &here = one.evaluate(access.address, iterations);
    const LaneValues &there = other.evaluate(access.address, iterations);
    if (here.unknown || there.unknown || here.value != there.value)
      return false;
    auto in = [&](Warp &warp) {
      return [&](ValueId id) -> const LaneValues & {
        return warp.evaluate(id, iterations);
      };
    };
    if (mayDiffer(kernel.graph, access.address, in(one), in(other)))
      return false;
  }
  return true;
}

bool isSameForRowOfBlocks(const Kernel &kernel, Shape shape,
                          const Access &access) {
  Evaluation evaluation(kernel);
  std::optional<uint64_t> common;
  for (unsigned index = 0; index < warpsOf(shape); ++index) {
    Warp warp(evaluation, shape, index, /*block=*/0, /*trial=*/0);
    const LaneValues &address = warp.evaluate(access.address, Iterations());
    if (address.unknown || !address.isUniform() ||
        common.value_or(address.value[0]) != address.value[0])
      return false;
    common = address.value[0];
  }
  return llvm::any_of(llvm::seq(3u), [&](unsigned dimension) {
    return isSameForBlocks(kernel, shape, access, dimension) &&
           llvm::any_of(kernel.accesses, [&](const Access &other) {
             return other.operation != Operation::Load &&
                    mayBeGlobal(other.space) &&
                    !isSameForBlocks(kernel, shape, other, dimension);
           });
  });
}

} // namespace warplint
