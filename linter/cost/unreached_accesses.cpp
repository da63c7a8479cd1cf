#include "cost/unreached_accesses.h"
#include "cost/open_lanes.h"
#include "cost/reached.h"
#include "cost/terms.h"
#include "model/argument_bytes.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

void UnreachedAccesses::run(llvm::ArrayRef<size_t> unreached, unsigned warps,
                            unsigned trial, std::vector<RequestSums> &sums) {
  if (unreached.empty())
    return;
  for (size_t i : unreached)
    requests_.notes[i].isUnreached = true;
  const Iterations first;
  const Warp any(requests_.evaluation, requests_.shape, 0, 0, trial);
  Warp anyDoubting(requests_.evaluation, requests_.shape, 0, 0, trial);
  anyDoubting.doubt();
  for (unsigned index = 0; index < warps; ++index) {
    Warp warp(any, index), doubting(anyDoubting, index);
    NodesByLanes without;
    for (size_t i : unreached)
      if (uint32_t active = doubting.may(kernel_.accesses[i].guard, first);
          active && requests_.costs[i].why.empty() &&
          kernel_.accesses[i].bytes &&
          requests_.add(warp, i, trial, first, active, sums[i],
                        requests_.costs[i].why))
        noteDataInGuard(warp, doubting, active, i, without);
  }
  Warp warp(requests_.evaluation, requests_.shape, 0, 0, trial);
  for (size_t i : unreached)
    if (!sums[i].requests) {
      requests_.notes[i].isUnguarded = true;
      sums[i] = requests_.unguarded(warp, i, trial, requests_.costs[i].why);
    }
  if (!launches_.empty())
    countKeptOut(unreached, warps, trial);
}

/// Notes the accesses that no thread may reach even if no probe value decides
/// a condition.
void UnreachedAccesses::countKeptOut(llvm::ArrayRef<size_t> unreached,
                                     unsigned warps, unsigned trial) {
  std::vector<bool> isOpen(requests_.costs.size());
  for (unsigned block = 0; block < evaluatedBlocks(launches_, trial); ++block) {
    Warp any(requests_.evaluation, requests_.shape, 0, block, trial);
    any.doubt();
    for (unsigned index = 0; index < warps; ++index) {
      Warp doubting(any, index);
      for (size_t i : unreached)
        isOpen[i] = isOpen[i] || mayReach(doubting, kernel_.accesses[i]);
    }
  }
  const Launched &launch = *launchOf(launches_, trial);
  for (size_t i : unreached)
    if (!isOpen[i] && !mayDiffer(launch, kernel_.accesses[i]))
      requests_.notes[i].keptOut |= 1u << trial;
}

/// Returns true if conditions rest on an end of what a launch may pass, or on
/// a block that no launch gives.
bool UnreachedAccesses::mayDiffer(const Launched &launch,
                                  const Access &access) const {
  auto mayBeOther = [&](ValueId condition) {
    return restsOnEnd(launch, kernel_.graph, condition) ||
           (requests_.isAssumed &&
            dependsOn(kernel_.graph, condition, {Op::BlockSize}));
  };
  return mayBeOther(access.guard) ||
         llvm::any_of(access.loops, [&](LoopId loop) {
           return mayBeOther(kernel_.loops[loop].enters);
         });
}

/// Ignores conditions that depend on an iteration: a later one may let
/// threads through.
bool UnreachedAccesses::mayReach(Warp &warp, const Access &access) {
  const Iterations first;
  auto mayHold = [&](ValueId condition) {
    return requests_.evaluation.loopsOf(condition) ||
           warp.may(condition, first);
  };
  return mayHold(access.guard) && llvm::all_of(access.loops, [&](LoopId loop) {
           return mayHold(kernel_.loops[loop].enters);
         });
}

/// Notes if data select some of the counted lanes where probe values decide
/// the guard, such as a flag in it:
/// `warp` uses them and shows which term of the guard differs from lane to
/// lane; `doubting` does not and shows if that term matters. `without`: nodes
/// in which `warp` has no such term.
void UnreachedAccesses::noteDataInGuard(Warp &warp, Warp &doubting,
                                        uint32_t active, size_t i,
                                        NodesByLanes &without) {
  const Access &access = kernel_.accesses[i];
  const Iterations first;
  LaneValues guard = doubting.evaluate(access.guard, first);
  if (guard.isUniform()) // a guard of thousands of terms is not searched
    return;
  const std::optional<ValueId> why =
      dataInTerm(kernel_.graph, warp, access.guard, active, without[active]);
  if (!why)
    return;
  guard.why = *why;
  requests_.noteChosenLanes(
      guard, warp.evaluate(access.address, first).value.toArray(), active, i);
}

} // namespace warplint
