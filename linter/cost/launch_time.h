// What the warps of a launch use of each resource to the time that it takes.
#pragma once
#include "cost/demand.h"
#include "cost/warps_on_sms.h"
#include <array>

namespace warplint {

/// The resource that limits a kernel: "DRAM", "L2", "L1 and shared memory",
/// "instructions", "FP64", "special functions", "integers",
/// "products of integers", "latency", "atomics that wait for each other".
enum class Bound {
  Dram,
  L2,
  L1,
  Issue,
  Doubles,
  Special,
  Logic,
  Products,
  Latency,
  Atomics
};
const char *spelling(Bound bound);

/// A launch on a GPU. Times are cycles of one SM for all warps that it
/// executes.
class LaunchTime {
public:
  /// `movesInLoops`: most sectors move in loops of many iterations.
  LaunchTime(const WarpsOnSms &warps, const Throughput &machine,
             bool movesInLoops);

  const WarpsOnSms &warps() const { return warps_; }
  bool movesInLoops() const { return movesInLoops_; }

  double cycles(const Demand &demand) const {
    return cycles(demand, warps_.resident());
  }
  /// The same for `resident` warps on an SM at once, with the start of the
  /// launch and of its blocks.
  double cyclesWithStarts(const Demand &demand, double resident) const;
  Bound bound(const Demand &demand) const;
  /// From 0 to 1: how much less time `then` takes than `now`. If only the run
  /// knows how much memory a gather reaches: the mean of that of memory that L2
  /// holds, and of more.
  double shareBetween(const Demand &now, const Demand &then) const;
  /// The same if an SM held `then` warps instead of `now`.
  double shareOfWarps(const Demand &demand, double now, double then) const;
  /// The same if the launch starts one block where it starts `together` now.
  double shareOfStarts(const Demand &demand, double together) const;
  /// Returns true if the start of blocks takes longer than all that they do.
  bool isBoundByStarts(const Demand &demand) const;
  /// None if the grid is unknown.
  std::optional<double> microseconds(const Demand &demand) const;
  /// What is saved of a demand if its work is spread over `sms`, and `waits` of
  /// its waits are left.
  Demand savedOnSms(const Demand &demand, double sms, double waits) const;

private:
  double cycles(const Demand &demand, double resident) const;
  double cyclesWithStarts(const Demand &demand) const {
    return cyclesWithStarts(demand, warps_.resident());
  }
  using CyclesBy = std::array<double, unsigned(Bound::Atomics) + 1>;
  /// By Bound, for `resident` warps on an SM at once.
  CyclesBy cyclesBy(const Demand &demand, double resident) const;
  /// The same with the start of the warps that begin together.
  double cyclesBehindStart(const Demand &demand, double resident) const;
  /// From the first block's start to the last one's, if nothing else takes
  /// longer.
  double cyclesOfStarts() const;
  double cyclesOfLaunch() const; ///< whatever the kernel does
  double shareOfSms(double most, double share, double used) const;

  WarpsOnSms warps_;
  const Throughput *machine_;
  bool movesInLoops_;
};

} // namespace warplint
