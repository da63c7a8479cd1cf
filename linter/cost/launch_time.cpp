#include "cost/launch_time.h"
#include "cost/warp.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace warplint {

namespace {

/// What one SM can move in a cycle, in sectors, if the others leave it all of
/// L2 or of DRAM (H100: 8 of 132 SMs).
constexpr double sectorsOfOneSm = 3.4, dramSectorsOfOneSm = 1.5;
/// From the end of one block to the first instruction of the next in its place
/// (H200: empty blocks of 1024 threads). The warps that begin together have
/// nothing to do meanwhile: kernels of 32 to 384 multiply-adds for each element
/// take 620 cycles more for each filling of the SMs with data from L2.
constexpr double startLatency = 470;
/// The data of other blocks move while the warps of one begin. Of kernels that
/// DRAM or L2 bind a part of the start is left (H200: 16 million floats, copied
/// in blocks of 256 threads in 49 us, move in 30 and start in 40; with all of
/// the 470 cycles of 62 fillings that was 61). 0.3 to 0.5 fit the copies and
/// sums among some 240 kernels alike.
constexpr double startBesideMemory = 0.4;
/// What a launch takes beside the start of its first blocks: an empty kernel
/// takes 1.63 to 1.7 us (H200, Nsight Compute). Ten short kernels of public
/// programs take 2.0 to 4.9 us each in a stream, of which the 0.83 us between
/// the timestamps of CUPTI would leave a third unexplained.
constexpr double launchNanoseconds = 1400;
/// The resources of an SM overlap nearly perfectly once many warps run (H200: a
/// loop that takes 32 cycles of shared memory and 37 issue slots takes 38
/// cycles, one of 16 and 21 takes 21).
constexpr double smOverlap = 10;
/// The warps of a loop that wait for L2 or DRAM calculate at the same times as
/// each other (H200, 64 warps: 4 loads from L2 that take 200 us beside
/// instructions that take 182, 357, 590, 824 us take 269, 444, 651, 861; from
/// DRAM 390 us beside 357, 590, 1057 take 480, 667, 1106). Where each thread
/// has few elements, some blocks begin while others end: a division for each
/// element, a quarter of the time of DRAM, adds 0.4 %.
constexpr double l2Overlap = 2, dramOverlap = 3;
/// What warps wait for overlaps with what others do, and so does the start of
/// blocks (H200: blocks that start in 162 us and move data in 124 us take 206).
constexpr double overlap = 3.5;

/// Cycles of things that overlap, the better the larger the power.
double overlapping(std::initializer_list<double> cycles,
                   double power = overlap) {
  double sum = 0;
  for (double each : cycles)
    sum += std::pow(each, power);
  return std::pow(sum, 1 / power);
}

/// From 0 to 1: how much less `then` is than `now`.
double shareOf(double now, double then) {
  return now <= 0 ? 0 : std::clamp(1 - then / now, 0.0, 1.0);
}

} // namespace

const char *spelling(Bound bound) {
  switch (bound) {
  case Bound::Dram:
    return "DRAM";
  case Bound::L2:
    return "L2";
  case Bound::L1:
    return "L1 and shared memory";
  case Bound::Issue:
    return "instructions";
  case Bound::Doubles:
    return "FP64";
  case Bound::Special:
    return "special functions";
  case Bound::Logic:
    return "integers";
  case Bound::Products:
    return "products of integers";
  case Bound::Latency:
    return "latency";
  case Bound::Atomics:
    return "atomics that wait for each other";
  }
  return "";
}

LaunchTime::LaunchTime(const WarpsOnSms &warps, const Throughput &machine,
                       bool movesInLoops)
    : warps_(warps), machine_(&machine), movesInLoops_(movesInLoops) {}

/// What each SM that is used has of a throughput that all of them share.
double LaunchTime::shareOfSms(double most, double share, double used) const {
  return std::max(share,
                  std::min(most, share * machine_->multiprocessors / used));
}

LaunchTime::CyclesBy LaunchTime::cyclesBy(const Demand &demand,
                                          double resident) const {
  const double warps = warps_.perSm(), used = warps_.smsUsed();
  CyclesBy cycles{};
  auto at = [&](Bound bound) -> double & { return cycles[unsigned(bound)]; };
  at(Bound::Dram) = warps * demand.dramSectors /
                    shareOfSms(dramSectorsOfOneSm, machine_->dramSectors, used);
  at(Bound::L2) = warps * (demand.sectors + demand.storing) /
                  shareOfSms(sectorsOfOneSm, machine_->sectors, used);
  at(Bound::L1) = warps * demand.wavefronts / machine_->wavefronts;
  at(Bound::Issue) = warps * demand.instructions / machine_->issue;
  at(Bound::Doubles) = warps * demand.doubles * warpSize / machine_->doubles;
  at(Bound::Special) = warps * demand.special * warpSize / machine_->special;
  at(Bound::Logic) = warps * demand.logic * warpSize / machine_->integers;
  at(Bound::Products) = warps * demand.products * warpSize / machine_->integers;
  at(Bound::Latency) = warps_.fillings(resident) * demand.latency;
  at(Bound::Atomics) = demand.serialNanoseconds * machine_->gigahertz;
  return cycles;
}

double LaunchTime::cycles(const Demand &demand, double resident) const {
  const auto cycles = cyclesBy(demand, resident);
  auto at = [&](Bound bound) { return cycles[unsigned(bound)]; };
  const double calculates =
      overlapping({at(Bound::Issue), at(Bound::Doubles), at(Bound::Special),
                   at(Bound::Logic), at(Bound::Products)},
                  smOverlap);
  const double works =
      overlapping({overlapping({calculates, at(Bound::L2)},
                               movesInLoops_ ? l2Overlap : smOverlap),
                   overlapping({calculates, at(Bound::Dram)},
                               movesInLoops_ ? dramOverlap : smOverlap),
                   at(Bound::L1), at(Bound::Atomics)},
                  smOverlap);
  return overlapping({works, at(Bound::Latency)}) +
         warps_.fillings(resident) * demand.together;
}

double LaunchTime::cyclesBehindStart(const Demand &demand,
                                     double resident) const {
  Demand own = demand;
  own.sectors = own.storing = own.dramSectors = own.unsureSectors = 0;
  // Nothing moves before the first warps have begun.
  const double all = warps_.fillings(resident), first = std::min(1.0, all);
  const double start = (all - first) * startLatency;
  return first * startLatency +
         std::max(cycles(demand, resident) + startBesideMemory * start,
                  cycles(own, resident) + start);
}

double LaunchTime::cyclesOfStarts() const {
  return warps_.blocks() * blockNanoseconds * machine_->gigahertz;
}

double LaunchTime::cyclesOfLaunch() const {
  return launchNanoseconds * machine_->gigahertz;
}

double LaunchTime::cyclesWithStarts(const Demand &demand,
                                    double resident) const {
  return overlapping({cyclesBehindStart(demand, resident), cyclesOfStarts()}) +
         cyclesOfLaunch();
}

Bound LaunchTime::bound(const Demand &demand) const {
  const double resident = warps_.resident();
  auto cycles = cyclesBy(demand, resident);
  cycles[unsigned(Bound::Latency)] +=
      warps_.fillings(resident) * demand.together;
  return Bound(llvm::max_element(cycles) - cycles.begin());
}

double LaunchTime::shareBetween(const Demand &now, const Demand &then) const {
  const double large = shareOf(cyclesWithStarts(now), cyclesWithStarts(then));
  if (!now.unsureSectors)
    return large;
  const double small = shareOf(cyclesWithStarts(now.ofSmallData()),
                               cyclesWithStarts(then.ofSmallData()));
  return (large + small) / 2;
}

double LaunchTime::shareOfWarps(const Demand &demand, double now,
                                double then) const {
  return shareOf(cyclesWithStarts(demand, std::max(1.0, now)),
                 cyclesWithStarts(demand, std::max(1.0, then)));
}

double LaunchTime::shareOfStarts(const Demand &demand, double together) const {
  const double rest = cyclesBehindStart(demand, warps_.resident());
  const double launch = cyclesOfLaunch();
  return shareOf(launch + overlapping({rest, cyclesOfStarts()}),
                 launch + overlapping({rest, cyclesOfStarts() / together}));
}

bool LaunchTime::isBoundByStarts(const Demand &demand) const {
  return cyclesOfStarts() > cycles(demand);
}

std::optional<double> LaunchTime::microseconds(const Demand &demand) const {
  if (!warps_.isGridKnown())
    return std::nullopt;
  return cyclesWithStarts(demand) / (machine_->gigahertz * 1e3);
}

Demand LaunchTime::savedOnSms(const Demand &demand, double sms,
                              double waits) const {
  const double used = warps_.smsUsed();
  const double spread = std::min(1.0, used / sms);
  auto shared = [&](double most, double share) {
    return std::min(1.0, spread * shareOfSms(most, share, used) /
                             shareOfSms(most, share, sms));
  };
  Demand left = demand * spread;
  left.latency = demand.latency * waits;
  left.together = demand.together * waits;
  left.serialNanoseconds = demand.serialNanoseconds;
  left.sectors = demand.sectors * shared(sectorsOfOneSm, machine_->sectors);
  left.storing = demand.storing * shared(sectorsOfOneSm, machine_->sectors);
  const double ofDram = shared(dramSectorsOfOneSm, machine_->dramSectors);
  left.dramSectors = demand.dramSectors * ofDram;
  left.unsureSectors = demand.unsureSectors * ofDram;
  Demand saved = demand;
  saved -= left;
  return saved;
}

} // namespace warplint
