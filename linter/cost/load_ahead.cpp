#include "cost/load_ahead.h"
#include "cost/kernel_time.h"
#include "cost/loaded_data.h"
#include "cost/reached.h"
#include "cost/terms.h"
#include "model/may_be_global.h"
#include "model/pipe_counts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringSwitch.h"

namespace warplint {

namespace {

/// Returns true if the numbers that a loop's condition compares move by
/// constants, as `i` of `i < n; i += 256` does.
bool stepsByConstants(const Kernel &kernel, LoopId loop) {
  const ExpressionGraph &graph = kernel.graph;
  return graph.walk(kernel.loops[loop].continues, [&](ValueId id) {
    if (!isComparison(graph.node(id).op))
      return ExpressionGraph::Walk::Into;
    for (ValueId operand : graph.operands(id))
      if (!bytesOfStep(graph, operand, loop))
        return ExpressionGraph::Walk::Stop;
    return ExpressionGraph::Walk::Past;
  });
}

/// A shuffle, a vote, a match or a reduction among the lanes of a warp.
bool isAmongLanes(llvm::StringRef function) {
  return llvm::any_of(
      llvm::ArrayRef<llvm::StringRef>{"shfl", "ballot", "vote", "_any_sync",
                                      "_all_sync", "match", "redux", "reduce_"},
      [&](llvm::StringRef part) { return function.contains(part); });
}

/// Returns true if a loop has what nvcc 13.0 copies only if the copies leave no
/// rest, which it sees to where steps are constant (sm_80, sm_90: an atomic, a
/// shuffle, a vote, a fence; from sm_100 on an atomic does not matter).
bool hasUncopied(const Kernel &kernel, LoopId loop,
                 llvm::ArrayRef<unsigned> gone) {
  if (kernel.loops[loop].hasFence)
    return true;
  const auto isInLoop = [&](const std::vector<LoopId> &loops) {
    return llvm::is_contained(loops, loop);
  };
  return llvm::any_of(llvm::seq<unsigned>(0, kernel.accesses.size()),
                      [&](unsigned i) {
                        const Access &access = kernel.accesses[i];
                        return access.operation == Operation::Atomic &&
                               isInLoop(access.loops) &&
                               !llvm::is_contained(gone, i);
                      }) ||
         llvm::any_of(kernel.operations, [&](const Computation &operation) {
           return isInLoop(kernel.loopsOf(operation)) &&
                  isAmongLanes(kernel.writtenOf(operation).function);
         });
}

/// Returns true if a loop writes to memory, but for what is `gone`. Where
/// registers alone use what it loads, the wait for the loads of four iterations
/// stands behind their barriers (nvcc 13.0, sm_90).
bool stores(const Kernel &kernel, LoopId loop, llvm::ArrayRef<unsigned> gone) {
  return llvm::any_of(llvm::seq<unsigned>(0, kernel.accesses.size()),
                      [&](unsigned i) {
                        const Access &access = kernel.accesses[i];
                        return access.operation != Operation::Load &&
                               llvm::is_contained(access.loops, loop) &&
                               !llvm::is_contained(gone, i);
                      });
}

/// A store may change what a load reads, and so does another thread behind a
/// barrier, which waits for what is stored before it; what an iteration loads
/// may say that it is the last one; nobody may know how many there are; and the
/// source may forbid copies, '#pragma unroll 1'.
bool mayLoadAhead(const Kernel &kernel, const ShapeCosts &costs, LoopId loop,
                  llvm::ArrayRef<unsigned> gone = {}) {
  const Loop &of = kernel.loops[loop];
  if (of.unroll == Unroll::Disabled ||
      (of.hasBarrier && stores(kernel, loop, gone)))
    return false;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i)
    if (kernel.accesses[i].operation != Operation::Load &&
        mayBeGlobal(costs.costs[i].space) &&
        llvm::is_contained(kernel.accesses[i].loops, loop) &&
        !llvm::is_contained(gone, i))
      return false;
  return of.tripCount ||
         !(of.mayWrap || dependsOnDataOfIteration(kernel, of.continues, loop) ||
           (hasUncopied(kernel, loop, gone) &&
            !stepsByConstants(kernel, loop)));
}

/// What stays the same in a loop is computed before it.
bool isSameInLoop(const Kernel &kernel, const Computation &operation) {
  return llvm::all_of(kernel.inputsOf(operation), [](const Input &input) {
    return input.source == Input::Source::Constant || input.invariantLoops > 0;
  });
}

/// The operations with a slow path that each iteration of a loop executes.
unsigned slowPathsIn(const Kernel &kernel, LoopId loop) {
  return llvm::count_if(kernel.operations, [&](const Computation &operation) {
    const std::vector<LoopId> &loops = kernel.loopsOf(operation);
    return llvm::is_contained(loops, loop) && hasSlowPath(kernel, operation) &&
           !isSameInLoop(kernel, operation);
  });
}

/// Returns true if an index that moves in a loop is an unsigned one of 32 bits.
bool isUnsignedIndex(const ExpressionGraph &graph, ValueId address,
                     LoopId loop) {
  const uint64_t bit = ExpressionGraph::loopBit(loop);
  using Walk = ExpressionGraph::Walk;
  return !graph.walk(address, [&](ValueId id) {
    const Node &node = graph.node(id);
    if (!(graph.loopsOf()[id] & bit) || node.op == Op::Loaded)
      return Walk::Past;
    return node.op == Op::Resize &&
                   node.bits > graph.node(graph.operand(id, 0)).bits
               ? Walk::Stop
               : Walk::Into;
  });
}

/// Returns true for a loop of which ptxas makes copies of the compiler's
/// copies.
bool isShort(const Kernel &kernel, LoopId loop) {
  // With ten instructions one load has 16 copies, and three have four.
  constexpr double mostLoads = 4, mostWork = 12;
  if (kernel.loops[loop].unroll != Unroll::Unsaid ||
      !stepsByConstants(kernel, loop))
    return false;
  double loads = 0, instructions = 0;
  for (const Access &access : kernel.accesses) {
    if (access.loops.empty() || access.loops.back() != loop ||
        access.operation != Operation::Load || access.need != Need::EachTime ||
        !mayBeGlobal(access.space))
      continue;
    ++loads;
    // Of rows that are a constant apart, `a[k * 64 + x]`, the compiler makes
    // four copies alone.
    constexpr int64_t farApart = 32;
    const auto step = bytesOfStep(kernel.graph, access.address, loop);
    if ((step && std::abs(*step) > farApart) ||
        isUnsignedIndex(kernel.graph, access.address, loop))
      return false;
  }
  for (const Arithmetic &work : kernel.arithmetic)
    if (!work.loops.empty() && work.loops.back() == loop)
      instructions += work.instructions;
  return loads <= mostLoads && loads + instructions <= mostWork &&
         llvm::none_of(kernel.loops,
                       [&](const Loop &inner) { return inner.parent == loop; });
}

} // namespace

bool hasSlowPath(const Kernel &kernel, const Computation &operation) {
  if ((operation.type != Number::F32 && operation.type != Number::F64) ||
      operation.isApproximate || operation.lanes != 1)
    return false;
  // A division by a power of two is a product.
  constexpr double fewInstructions = 4;
  if (operation.kind == Compute::Divide ||
      operation.kind == Compute::SquareRoot)
    return pipesOf(kernel, operation).all() > fewInstructions;
  return llvm::StringSwitch<bool>(kernel.writtenOf(operation).function)
      .Cases({"sinf", "cosf", "tanf", "sincosf", "sin", "cos", "tan", "sincos"},
             true)
      .Default(false);
}

double togetherIn(const Kernel &kernel, Frequencies &frequencies, LoopId loop) {
  const double trips = frequencies.trips(loop).count;
  const Loop &of = kernel.loops[loop];
  if (!of.tripCount) {
    if (of.unroll == Unroll::Count)
      return loadedTogether(trips, false, of.unrollCount);
    const double usual = loadedTogether(trips, false);
    return isShort(kernel, loop)
               ? std::max(usual,
                          loadedTogether(trips, false, loadsAheadIfShort))
               : usual;
  }
  const double loads = llvm::count_if(kernel.accesses, [&](const Access &load) {
    return load.operation == Operation::Load && mayBeGlobal(load.space) &&
           load.need == Need::EachTime && !load.loops.empty() &&
           load.loops.back() == loop;
  });
  return loadedTogether(
      trips, true,
      std::max(loadsAhead, loadsAheadIfKnown / std::max(1.0, loads)));
}

bool isLoadedAhead(const Kernel &kernel, const ShapeCosts &costs, LoopId loop,
                   llvm::ArrayRef<unsigned> gone) {
  return mayLoadAhead(kernel, costs, loop, gone) &&
         slowPathsIn(kernel, loop) == 0;
}

bool waitsForOwnStore(const Kernel &kernel, const ShapeCosts &costs,
                      LoopId loop) {
  auto isInLoop = [&](const Access &access) {
    return !access.loops.empty() && access.loops.back() == loop;
  };
  auto isStored = [&](std::optional<uint64_t> object) {
    for (unsigned i = 0; i < kernel.accesses.size(); ++i)
      if (kernel.accesses[i].operation == Operation::Store &&
          isInLoop(kernel.accesses[i]) && objectOf(costs.costs[i]) == object)
        return true;
    return false;
  };
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Access &load = kernel.accesses[i];
    const auto object = objectOf(costs.costs[i]);
    if (load.operation == Operation::Load && load.need == Need::EachTime &&
        isInLoop(load) && mayBeGlobal(costs.costs[i].space) && object &&
        !bytesOfStep(kernel.graph, load.address, loop) && isStored(object))
      return true;
  }
  return false;
}

Demand waitsBehind(const Kernel &kernel, const ShapeCosts &costs,
                   const KernelTime &time, const Computation &operation) {
  Demand waits;
  const std::vector<LoopId> &loops = kernel.loopsOf(operation);
  if (loops.empty() || !hasSlowPath(kernel, operation) ||
      !mayLoadAhead(kernel, costs, loops.back()))
    return waits;
  const unsigned all = slowPathsIn(kernel, loops.back());
  for (unsigned i = 0; all && i < kernel.accesses.size(); ++i)
    if (!kernel.accesses[i].loops.empty() &&
        kernel.accesses[i].loops.back() == loops.back())
      waits += time.savedByLoadingAhead(i, loops.back()) * (1.0 / all);
  return waits;
}

} // namespace warplint
