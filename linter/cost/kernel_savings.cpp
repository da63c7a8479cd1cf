// What changes of a kernel save of its demand.
#include "cost/kernel_time.h"
#include "cost/load_ahead.h"
#include "cost/neighbours.h"
#include "model/may_be_global.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

namespace warplint {

/// The order of the data is unknown: half of what other data would save.
Demand KernelTime::coalescedGather(unsigned i) const {
  const Access &access = kernel_.accesses[i];
  Demand demand = accesses_[i];
  const double least = std::min(1.0, double(access.bytes) / sectorBytes),
               left = (1 + least) / 2;
  // A table of few lines gives its data at once.
  const double needed =
      dataWavefronts(costs_.costs[i].lanesOrAll(), std::max(1u, access.bytes)) *
      requestsOf(i);
  demand.wavefronts = std::min(demand.wavefronts,
                               std::max(demand.wavefronts * least, needed) / 2 +
                                   demand.wavefronts / 2);
  if (reuse_[i].isRow)
    return demand; // L1 serves what a lane's own row leaves of a sector
  demand.sectors *= left;
  demand.storing *= left;
  demand.dramSectors *= left;
  demand.unsureSectors *= left;
  return demand;
}

Demand KernelTime::coalesced(unsigned i, double sectorFactor) const {
  const Access &access = kernel_.accesses[i];
  const Cost &cost = costs_.costs[i];
  if (cost.isGather())
    return coalescedGather(i);
  Demand demand = accesses_[i];
  const unsigned bytes = access.bytes;
  // Of neighbours, nearly all sectors are touched whatever data choose.
  const double now = partOfChosen(i, sectorBytes);
  const double ideal =
      std::max(1.0, std::min<double>(std::max(cost.sectors, cost.idealSectors),
                                     cost.idealSectors * sectorFactor));
  const double least = std::max<double>(
      dataWavefronts(cost.lanes, bytes),
      sectorFactor > 1 ? std::min<double>(ideal, linesOf(cost, bytes)) : 0);
  if (access.operation == Operation::Store) {
    const double left =
        std::min(1.0, storePasses(least, ideal) /
                          std::max(1.0, now * storePasses(linesOf(cost, bytes),
                                                          cost.sectors)));
    demand.wavefronts *= left;
    demand.sectors *= left;
    demand.storing *= left;
  } else {
    const double requests = requestsOf(i), whole = accesses_[i].sectors;
    demand.wavefronts = std::min(demand.wavefronts, least * requests);
    // L1 turns sectors of which every iteration uses a part into the same ones.
    const double factor =
        std::min(1.0, ideal / std::max(1.0, now * cost.sectors));
    demand.sectors = std::min(
        whole, std::max(whole * factor, std::min(whole, ideal * requests)));
  }
  demand.dramSectors = std::min(demand.dramSectors, demand.sectors);
  return demand;
}

Demand KernelTime::withWavefronts(unsigned i, double wavefronts) const {
  Demand demand = accesses_[i];
  const Cost &cost = costs_.costs[i];
  const double now =
      cost.space == Space::Shared ? waysOf(i) : addressesOf(i);
  demand.wavefronts *= std::min(1.0, wavefronts / now);
  if (isConstantBank(cost.space))
    demand.latency *=
        std::min(1.0, constantLatency(wavefronts) / constantLatency(now));
  return demand;
}

Demand KernelTime::ofConstantsMissed(unsigned i) const {
  Demand missed;
  missed.wavefronts = cyclesOfWalks_[i] * requestsOf(i);
  return missed;
}

Demand KernelTime::savedByJoining(unsigned i) const {
  Demand saved;
  if (!isApart_[i])
    return saved;
  const double left = joinedPart(i), whole = accesses_[i].sectors;
  saved.wavefronts = accesses_[i].wavefronts * (1 - left);
  saved.storing = std::min(accesses_[i].storing,
                           (accesses_[i].storing + whole) * (1 - left));
  return saved;
}

Demand KernelTime::savedByFewerWarps(double left) const {
  Demand saved = total_ * (1 - left);
  double kept = 0, all = 0;
  for (unsigned i = 0; i < joinedWavefronts_.size(); ++i) {
    kept +=
        accesses_[i].wavefronts * std::max(0.0, joinedWavefronts_[i] - left);
    all += accesses_[i].wavefronts;
  }
  saved.wavefronts = std::max(0.0, saved.wavefronts - kept);
  saved.sectors = saved.storing = 0;
  saved.dramSectors = saved.unsureSectors = 0;
  saved.serialNanoseconds = 0;
  const double then = WarpsOnSms::fillings(
                   std::max(1.0, warps().perSm() * left),
                   machine_.warps * WarpsOnSms::residentShare),
               waits = std::max(0.0, 1 - then / warps().fillings()) *
                       (all ? 1 - std::min(1.0, kept / all) : 1);
  // Lanes with lines of their own wait for each other as blocks did.
  saved.latency = total_.latency * waits;
  saved.together = total_.together * waits;
  return saved;
}

Demand KernelTime::savedBySharing(LoopId loop, const Demand &saved) const {
  const double all = warps().all() * warpSize,
               blocks = all / warps().perBlock(),
               then = std::clamp<double>(blocks, 1, machine_.multiprocessors);
  const double waits = std::min(
      1.0, WarpsOnSms::fillings(std::max(1.0, all / then), warps().resident()) /
               warps().fillings() / warpSize);
  Demand rest = ofLoop(loop);
  rest -= saved;
  return launch_.savedOnSms(rest, then, waits);
}

Demand KernelTime::savedBySpreading() const {
  const double all = warps().all(),
               then = std::clamp<double>(all, 1, machine_.multiprocessors),
               resident =
                   std::min<double>(WarpsOnSms::mostBlocks, machine_.warps);
  const double waits = std::min(
      1.0, WarpsOnSms::fillings(all / then, resident) / warps().fillings());
  return launch_.savedOnSms(total_, then, waits);
}

/// Once the slowest loads of an iteration are gone, the next ones are waited
/// for.
Demand KernelTime::savedOutside(llvm::ArrayRef<unsigned> moved,
                                LoopId loop) const {
  const double left = 1 / frequencies_.trips(loop).count;
  Demand saved, waits, then;
  for (unsigned i : moved) {
    Demand moves = accesses_[i];
    moves -= moves.waits();
    saved += moves * (1 - left);
    then += accesses_[i].waits() * left;
  }
  for (const Demand &wait : waitsWithout(moved))
    then += wait;
  for (const Demand &access : accesses_)
    waits += access.waits();
  waits -= then;
  return saved += waits;
}

} // namespace warplint
