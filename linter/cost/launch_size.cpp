#include "cost/launch_size.h"
#include "cost/iteration_needs.h"
#include "model/argument_bytes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

namespace warplint {

ShapeCosts ofLaunch(const ShapeCosts &costs, const Launched &launch) {
  ShapeCosts one{costs.shape, costs.costs};
  one.shape.place = launch.place;
  one.shape.launches = {launch};
  if (launch.blocks())
    one.shape.grids = {*launch.blocks()};
  return one;
}

/// Returns true for the block that nobody knows of a launch which has a known
/// one by default: the program's arguments may choose another one.
static bool isOfArguments(const CostedKernel &costed,
                          const KernelShape &shape) {
  return shape.source == ShapeSource::Assumed && !shape.place.file.empty() &&
         llvm::any_of(costed.shapes, [&](const ShapeCosts &each) {
           return each.shape.source == ShapeSource::Launch &&
                  each.shape.place == shape.place;
         });
}

std::optional<uint64_t> mostBlocks(const CostedKernel &costed) {
  uint64_t most = 0;
  for (const ShapeCosts &costs : costed.shapes) {
    const KernelShape &shape = costs.shape;
    if (isOfArguments(costed, shape))
      continue;
    if (shape.source != ShapeSource::Launch || shape.grids.empty() ||
        shape.place.file.empty())
      return std::nullopt;
    most = std::max(most, shape.grids.back());
  }
  return most;
}

bool launchesOtherGrids(uint64_t blocks, llvm::ArrayRef<Launched> launches) {
  return llvm::any_of(launches, [&](const Launched &launch) {
    return launch.blocks() == blocks &&
           llvm::any_of(launches, [&](const Launched &other) {
             return other.place == launch.place &&
                    other.blocks().value_or(blocks) != blocks;
           });
  });
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
/// `ops`, and not only from what it loads. A condition around the loop that
/// each iteration repeats, as `i < n` of the thread's element, says whether it
/// is entered.
static bool isCountedFrom(const Kernel &kernel, LoopId loop,
                          std::initializer_list<Op> ops) {
  using Walk = ExpressionGraph::Walk;
  const ExpressionGraph &graph = kernel.graph;
  const uint64_t bit = ExpressionGraph::loopBit(loop);
  return !graph.walk(kernel.loops[loop].continues, [&](ValueId id) {
    const Op op = graph.node(id).op;
    const bool isAround = isComparison(op) && !(graph.loopsOf()[id] & bit);
    return llvm::is_contained(ops, op)    ? Walk::Stop
           : op == Op::Loaded || isAround ? Walk::Past
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

bool canShareMore(const CostedKernel &costed, const ShapeCosts &costs) {
  const Kernel &kernel = costed.kernel;
  if (const auto id = loopOfEachThread(costed, costs)) {
    const Loop &loop = kernel.loops[*id];
    return loop.accumulators ||
           !(handsOnState(kernel, *id) ||
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
  auto waitsIn = [&](LoopId id) {
    const Demand demand = time.ofLoop(id);
    return demand.latency + demand.together;
  };
  std::optional<LoopId> longest;
  for (LoopId id = 0; id < kernel.loops.size(); ++id) {
    const Loop &loop = kernel.loops[id];
    if (isSharedByThreads(kernel, id))
      return std::nullopt;
    if (!loop.parent && !loop.inLibrary && loop.place.line &&
        (!longest || waitsIn(id) > waitsIn(*longest)))
      longest = id;
  }
  return longest;
}

std::vector<std::string> ownArguments(const Kernel &kernel,
                                      const Launched &launch,
                                      llvm::ArrayRef<Launched> all) {
  auto entryOf = [](const Launched &of, uint64_t position) {
    return position < of.arguments.size() ? of.arguments[position]
                                          : std::nullopt;
  };
  const ExpressionGraph &graph = kernel.graph;
  std::vector<std::string> own;
  for (ValueId id = 0; id < graph.size(); ++id) {
    const auto position = argumentEntry(graph, id);
    const auto value = position ? entryOf(launch, *position) : std::nullopt;
    if (!value || graph.node(id).pointer || graph.text(id).empty() ||
        isOfEnd(launch, graph, id) ||
        llvm::all_of(all, [&](const Launched &other) {
          return entryOf(other, *position) == value;
        }))
      continue;
    std::string text = graph.text(id) + " = " + std::to_string(int64_t(*value));
    if (!llvm::is_contained(own, text))
      own.push_back(std::move(text));
  }
  return own;
}

} // namespace warplint
