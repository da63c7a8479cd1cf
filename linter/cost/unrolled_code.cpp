#include "cost/unrolled_code.h"
#include "cost/compile_time.h"
#include "cost/conditions.h"
#include "cost/request.h"
#include "model/may_be_global.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace warplint {

namespace {

/// Registers that loaded values may take of those of a thread.
double mostRegisters(const Kernel &kernel) {
  constexpr double most = 64, ofSm = 65'536, part = 0.5;
  const double threads = kernel.bounds
                             ? double(kernel.bounds->maxThreads) *
                                   std::max(1u, kernel.bounds->minBlocks)
                             : 0;
  return threads ? std::min(most, part * ofSm / threads) : most;
}

/// Returns true if what the loop loads may change in it.
bool mayWrite(const Kernel &kernel, LoopId loop) {
  if (kernel.loops[loop].hasBarrier || kernel.loops[loop].hasFence)
    return true;
  auto isInside = [&](const auto &it) {
    return llvm::is_contained(it.loops, loop);
  };
  return llvm::any_of(kernel.barriers, isInside) ||
         llvm::any_of(kernel.accesses, [&](const Access &access) {
           return isInside(access) && access.operation != Operation::Load &&
                  (mayBeGlobal(access.space) || access.space == Space::Shared);
         });
}

/// Returns true if no condition in the two loops chooses iterations with the
/// access, beside those of the loops themselves.
bool isInEachIteration(const Kernel &kernel, const Access &access) {
  const ExpressionGraph &graph = kernel.graph;
  uint64_t inside = 0;
  std::vector<ValueId> ofLoops, own;
  for (LoopId loop : llvm::ArrayRef(access.loops).take_back(2)) {
    inside |= ExpressionGraph::loopBit(loop);
    addConditions(graph, kernel.loops[loop].enters, ofLoops);
    addConditions(graph, kernel.loops[loop].continues, ofLoops);
  }
  // What ends the inner loop early chooses the loads of the copies behind it.
  std::vector<ValueId> ends;
  addConditions(graph, kernel.loops[access.loops.back()].continues, ends);
  if (llvm::any_of(ends,
                   [&](ValueId end) { return dependsOnData(kernel, end); }))
    return false;
  addConditions(graph, access.guard, own);
  return llvm::all_of(own, [&](ValueId condition) {
    return !(graph.loopsOf()[condition] & inside) ||
           llvm::is_contained(ofLoops, condition);
  });
}

} // namespace

std::vector<double> partsHeld(const Kernel &kernel, Frequencies &frequencies) {
  const ExpressionGraph &graph = kernel.graph;
  std::vector<double> parts(kernel.accesses.size(), 1);
  std::map<LoopId, double> registers; ///< by outer loop
  std::map<LoopId, std::vector<unsigned>> held;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Access &access = kernel.accesses[i];
    if (access.operation != Operation::Load || access.isVolatile ||
        access.need != Need::EachTime || access.loops.size() < 2 ||
        !(mayBeGlobal(access.space) || access.space == Space::Shared))
      continue;
    const LoopId inner = access.loops.back(),
                 outer = access.loops[access.loops.size() - 2];
    const uint64_t bit = ExpressionGraph::loopBit(outer);
    if (!isUnrolled(kernel, inner) || graph.loopsOf()[access.address] & bit ||
        mayWrite(kernel, outer) || !isInEachIteration(kernel, access))
      continue;
    registers[outer] +=
        frequencies.trips(inner).count * std::max(1u, access.bytes / wordBytes);
    held[outer].push_back(i);
  }
  for (const auto &[outer, loads] : held)
    if (registers[outer] <= mostRegisters(kernel))
      for (unsigned i : loads)
        parts[i] = 1 / std::max(1.0, frequencies.trips(outer).count);
  return parts;
}

} // namespace warplint
