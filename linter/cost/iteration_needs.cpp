#include "cost/iteration_needs.h"
#include "cost/index_steps.h"
#include "cost/lanes.h"
#include "cost/same_address.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

namespace warplint {

static Needs readNeeds(const CostedKernel &costed, const ShapeCosts &shape,
                       LoopId loop) {
  const Kernel &kernel = costed.kernel;
  const std::vector<uint64_t> &loops = kernel.graph.loopsOf();
  auto moves = [&](const Access &access) {
    return llvm::is_contained(access.loops, loop) &&
           (loops[access.address] & ExpressionGraph::loopBit(loop));
  };
  Needs needs = Needs::Nothing;
  for (const Access &store : kernel.accesses) {
    if (store.operation == Operation::Load || !moves(store))
      continue;
    for (const Access &load : kernel.accesses) {
      if (load.operation != Operation::Load || !moves(load) ||
          load.space != store.space || load.object != store.object ||
          load.address == store.address)
        continue;
      if (loadsWhatItStored(costed, shape, store, load, loop))
        return Needs::Earlier;
      needs = Needs::Perhaps;
    }
  }
  return needs;
}

Needs needsOf(const CostedKernel &costed, const ShapeCosts &shape,
              LoopId loop) {
  // Each access of the loop asks.
  auto known = shape.needs.find(loop);
  if (known == shape.needs.end())
    known = shape.needs.emplace(loop, readNeeds(costed, shape, loop)).first;
  return known->second;
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

bool handsOnState(const Kernel &kernel, LoopId loop) {
  return kernel.loops[loop].hasChain || goesOnWithArray(kernel, loop);
}

Needs needsIfShared(const CostedKernel &costed, const ShapeCosts &shape,
                    LoopId id) {
  const Loop &loop = costed.kernel.loops[id];
  return loop.hasChain ||
                 (!loop.accumulators && goesOnWithArray(costed.kernel, id))
             ? Needs::Earlier
             : needsOf(costed, shape, id);
}

bool addsToItself(const Kernel &kernel, const Access &store) {
  return llvm::any_of(kernel.accesses, [&](const Access &load) {
    return load.operation == Operation::Load && load.address == store.address &&
           load.loops == store.loops;
  });
}

bool haveOneResult(const CostedKernel &costed, const ShapeCosts &shape,
                   LoopId loop) {
  const Kernel &kernel = costed.kernel;
  if (kernel.loops[loop].accumulators)
    return true;
  return llvm::any_of(kernel.accesses, [&](const Access &store) {
    return store.operation == Operation::Store &&
           llvm::is_contained(store.loops, loop) &&
           sameAddressNextIteration(kernel, shape.shape.shape, store, loop)
               .value_or(false);
  });
}

} // namespace warplint
