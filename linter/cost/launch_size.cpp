#include "cost/launch_size.h"
#include "cost/iteration_needs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallSet.h"

namespace warplint {

ShapeCosts ofLaunch(const ShapeCosts &costs, const Launched &launch) {
  ShapeCosts one{costs.shape, costs.costs};
  one.shape.place = launch.place;
  one.shape.launches = {launch};
  if (launch.blocks())
    one.shape.grids = {*launch.blocks()};
  return one;
}

bool growsWithSizes(const CostedKernel &costed, const ShapeCosts &costs) {
  const KernelTime &time = timeOf(costed, costs);
  for (LoopId id = 0; id < costed.kernel.loops.size(); ++id)
    if (!costed.kernel.loops[id].inLibrary &&
        time.frequencies().trips(id).isAssumed)
      return true;
  return false;
}

/// Returns true if how often a thread repeats the loop is computed from one of
/// `ops`, and not only from what it loads.
static bool isCountedFrom(const Kernel &kernel, LoopId loop,
                          std::initializer_list<Op> ops) {
  using Walk = ExpressionGraph::Walk;
  return !kernel.graph.walk(kernel.loops[loop].continues, [&](ValueId id) {
    const Op op = kernel.graph.node(id).op;
    return llvm::is_contained(ops, op) ? Walk::Stop
           : op == Op::Loaded          ? Walk::Past
                                       : Walk::Into;
  });
}

bool stepsByGrid(const Kernel &kernel, LoopId loop) {
  return isCountedFrom(kernel, loop, {Op::GridSize});
}

bool sharesLoop(const Kernel &kernel) {
  return llvm::any_of(llvm::seq<LoopId>(0, kernel.loops.size()),
                      [&](LoopId id) { return stepsByGrid(kernel, id); });
}

/// Returns true if the threads or the blocks have iterations of their own.
static bool isSharedByThreads(const Kernel &kernel, LoopId loop) {
  return isCountedFrom(
      kernel, loop,
      {Op::ThreadIndex, Op::BlockIndex, Op::BlockSize, Op::GridSize});
}

/// Returns true if an iteration loads from a local array what the one before
/// left there: it loads before it stores.
static bool goesOnWithArray(const Kernel &kernel, LoopId loop) {
  llvm::SmallSet<unsigned, 8> seen, loadedFirst;
  for (const Access &access : kernel.accesses) {
    if (!access.array || !llvm::is_contained(access.loops, loop))
      continue;
    const bool isLoad = access.operation == Operation::Load;
    if (seen.insert(*access.array).second && isLoad)
      loadedFirst.insert(*access.array);
    if (!isLoad && loadedFirst.contains(*access.array))
      return true;
  }
  return false;
}

bool canShareMore(const CostedKernel &costed, const ShapeCosts &costs) {
  const Kernel &kernel = costed.kernel;
  if (const auto id = loopOfEachThread(costed, costs)) {
    const Loop &loop = kernel.loops[*id];
    return loop.accumulators ||
           !(loop.hasChain || goesOnWithArray(kernel, *id) ||
             needsOf(costed, costs, *id) == Needs::Earlier);
  }
  return llvm::any_of(llvm::seq<LoopId>(0, kernel.loops.size()),
                      [&](LoopId i) { return isSharedByThreads(kernel, i); });
}

Demand savedOnAllSms(const CostedKernel &costed, const ShapeCosts &costs,
                     uint64_t blocks) {
  const KernelTime &time = timeOf(costed, costs);
  const double used = double(blocks) / time.machine().multiprocessors;
  Demand saved = canShareMore(costed, costs) ? time.total() * (1 - used)
                                             : time.savedBySpreading();
  saved.serialNanoseconds = 0;
  return saved;
}

std::optional<LoopId> loopOfEachThread(const CostedKernel &costed,
                                       const ShapeCosts &costs) {
  const Kernel &kernel = costed.kernel;
  const KernelTime &time = timeOf(costed, costs);
  std::optional<LoopId> longest;
  for (LoopId id = 0; id < kernel.loops.size(); ++id) {
    const Loop &loop = kernel.loops[id];
    if (isSharedByThreads(kernel, id))
      return std::nullopt;
    if (!loop.parent && !loop.inLibrary && loop.place.line &&
        (!longest || time.ofLoop(id).latency > time.ofLoop(*longest).latency))
      longest = id;
  }
  return longest;
}

} // namespace warplint
