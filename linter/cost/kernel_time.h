// A kernel and its costs to the time that it takes on one multiprocessor (SM),
// by what binds it, and the share of that time which a change would save.
//
// A model, not a simulation: it orders findings and tells what cannot matter.
// Its constants come from cost/throughput and from the H200's measurements of
// small kernels (docs/cost.md).
#pragma once
#include "cost/contention.h"
#include "cost/costed.h"
#include "cost/launch_time.h"
#include "cost/request_reuse.h"
#include "cost/saving.h"
#include "cost/update_time.h"
#include "model/pipe_counts.h"
#include <map>
#include <set>

namespace warplint {

class SpareStrides;

/// An access of each lane to one place of its thread's frame.
struct LocalTraffic {
  bool isStore = false;
  unsigned bytes = 0; ///< of a lane
  unsigned frame = 0; ///< bytes of a thread
};

/// Of a lane; the widest access where that is unknown.
inline unsigned bytesOf(const Access &access) {
  return access.bytes ? access.bytes : 16;
}

/// Prices one kernel for one block shape; the constructor does the work.
class KernelTime {
public:
  KernelTime(const Kernel &kernel, const ShapeCosts &costs,
             unsigned capability = usualCapability);

  const Demand &total() const { return total_; }
  /// The use of an access in the whole launch.
  const Demand &of(unsigned access) const { return accesses_[access]; }
  /// All that the iterations of a loop use.
  Demand ofLoop(LoopId loop) const;
  /// The same if its requests moved `sectors` and touched as few lines of 128
  /// bytes as they need; `sectorFactor` times as many sectors, where they lie
  /// in rows that do not fill theirs.
  Demand coalesced(unsigned access, double sectorFactor = 1) const;
  /// The same if each request took `wavefronts`.
  Demand withWavefronts(unsigned access, double wavefronts) const;
  /// What a load waits for constants that its loop walks through, and that
  /// their cache lacks.
  Demand ofConstantsMissed(unsigned access) const;
  /// What a store takes less where no load that waits for its data keeps it
  /// from its neighbours, with which it fills sectors.
  Demand savedByJoining(unsigned store) const;
  /// The saving if `left` of the warps, from 0 to 1, move the same data: their
  /// instructions, and the waits of the warps that an SM held later.
  Demand savedByFewerWarps(double left) const;
  /// What a kernel saves more than `saved` if a warp shares the iterations of a
  /// loop that each of its threads executes now, with 32 times as many warps:
  /// more SMs have work, and the waits of a thread go on side by side.
  Demand savedBySharing(LoopId loop, const Demand &saved) const;
  /// What a kernel saves if its threads are in blocks of one warp each: more
  /// SMs have work, and each thread has as much of it as now.
  Demand savedBySpreading() const;
  /// The saving if `moved`, all that one change moves, are executed once each
  /// time that `loop` is entered. Loads can be made ahead when no store is left
  /// in a loop.
  Demand savedOutside(llvm::ArrayRef<unsigned> moved, LoopId loop) const;
  /// The use of `count` instructions that go with an access, such as its
  /// address.
  Demand ofInstructions(double count, const Access &access) const;
  /// The use of instructions that are executed where a computation is.
  Demand ofPipes(const PipeCounts &pipes, const Computation &at) const;
  /// The wait of a warp at a barrier for the others.
  Demand ofBarrier(const Barrier &barrier) const;
  /// The arithmetic on all sides of a branch.
  Demand ofSides(const Branch &branch) const;
  /// The use of an access to local memory, which the compiler adds to the code
  /// under a condition.
  Demand local(const LocalTraffic &access, llvm::ArrayRef<LoopId> loops,
               ValueId guard) const;

  /// Cycles of one SM for the whole launch; for an unknown grid, for
  /// `WarpsOnSms::usualWarps` warps on each SM.
  double cycles(const Demand &demand) const { return launch_.cycles(demand); }
  /// The cycles of one SM for each warp that it executes.
  double cyclesPerWarp() const;
  Bound bound(const Demand &added = {}) const; ///< with what is added to it
  /// From 0 to 1: how much less time the kernel takes without `saved`, which has
  /// `instead` in its place.
  double share(const Demand &saved, const Demand &instead = {}) const {
    return saving(saved, instead).share();
  }
  /// That of which `share` is the share.
  Saving saving(const Demand &saved, const Demand &instead) const;
  /// The same for what the compiler added to the demand of the source.
  double shareOfAdded(const Demand &added) const;
  /// The same if an SM held `then` warps instead of `now`.
  double shareOfWarps(double now, double then) const {
    return launch_.shareOfWarps(total_, now, then);
  }
  /// The same if the launch started one block where it starts `together` now.
  double shareOfStarts(double together) const {
    return launch_.shareOfStarts(total_, together);
  }
  /// Returns true if the start of blocks takes longer than all that they do.
  bool isBoundByStarts() const { return launch_.isBoundByStarts(total_); }
  /// None if the grid is unknown.
  std::optional<double> microseconds() const {
    return launch_.microseconds(total_);
  }
  /// Iterations of a loop that loads ahead whose loads are under way together.
  double togetherIn(LoopId loop) const;
  /// What is left of the waits for a load, of which `now` iterations are under
  /// way together, if `then` of them are: more than 1 for fewer.
  double partOfWaits(unsigned load, double now, double then) const;
  /// What the waits for a load, iteration by iteration, take more than those of
  /// a loop that loads ahead. None for what cannot be loaded ahead.
  Demand savedByLoadingAhead(unsigned load, LoopId loop) const {
    return isOneByOne(load, loop)
               ? Demand()
               : of(load).waits() * (1 - partOfWaits(load, 1, togetherIn(loop)));
  }
  Frequencies &frequencies() const { return frequencies_; }
  const Throughput &machine() const { return machine_; }

private:
  // kernel_time.cpp
  void addArithmetic();
  double joinedWavefronts(unsigned access, FirstWarps &first) const;
  double longestUpdates() const;
  double sectorsInLoops() const;
  Demand demandOf(const Arithmetic &work) const;
  double shapeThreads() const;
  const WarpsOnSms &warps() const { return launch_.warps(); }
  /// Of a request to constant memory; of one that data choose, an estimate.
  double addressesOf(unsigned access) const;
  /// Executions by the warp that an SM waits for. Blocks that a guard sends
  /// home at once leave it as many fillings less.
  double longestOf(const Frequency &frequency) const;

  // kernel_updates.cpp
  std::optional<Updates> updatesOf(unsigned access, const Contention &seen,
                                   FirstWarps &first) const;
  double serialNanoseconds(unsigned access, const Contention &seen,
                           FirstWarps &first) const;
  Demand ofAtomicRequest(unsigned access, double lines, double sectors,
                         FirstWarps &first) const;

  // kernel_requests.cpp
  void addAccess(unsigned access, FirstWarps &first, SpareStrides &spare);
  Demand ofRequest(unsigned access, FirstWarps &first) const;
  Demand ofConstantRequest(unsigned access) const;
  double waysOf(unsigned access) const;
  bool isMadeOnce(unsigned access) const;
  double swapLoopWavefronts(unsigned access, const Contention &seen) const;
  Demand ofSharedRequest(unsigned access) const;
  Demand ofLocalRequest(unsigned access, Warp &warp) const;
  Demand ofGlobalRequest(unsigned access, FirstWarps &first) const;
  /// The words of constant memory that a request loads.
  struct ConstantWords {
    unsigned region;
    uint32_t active;
    LaneAddresses addresses;
    auto operator<=>(const ConstantWords &) const = default;
  };
  static ConstantWords constantWords(const Access &access, const Cost &cost);
  double partOfConstants(unsigned access) const;
  double loadWavefronts(unsigned access, double lines, double own,
                        Warp &odd) const;
  double banksOf(unsigned access, Warp &odd) const;
  double joinedPart(unsigned store) const;
  /// Where data choose the lanes: the part of the pieces of memory of `size`
  /// bytes that is touched; 0: of those of one request.
  double partOfChosen(unsigned access, unsigned size) const;
  double partOfLanes(const Access &access) const;

  // kernel_latency.cpp
  void addLatency();
  std::vector<double> togetherWithout(llvm::ArrayRef<unsigned> gone) const;
  std::vector<Demand> waitsWithout(llvm::ArrayRef<unsigned> gone) const;
  double togetherOf(unsigned access,
                    llvm::function_ref<bool(LoopId)> isAhead) const;
  double latencyOf(unsigned access, double together) const;
  /// Of a request to constant memory, by its different addresses.
  static double constantLatency(double addresses);
  double missLatencyOf(unsigned access, double together) const;
  Demand waitOf(unsigned access, double times, double together) const;
  bool isAwaitedTogether(unsigned access) const;
  bool isArrayStoredIn(const Access &load, LoopId loop) const;
  bool followsData(const Access &load, LoopId loop) const;
  /// Each iteration waits for a load of the one before, whatever else is there.
  bool isOneByOne(unsigned load, LoopId loop) const;
  bool isSwapLoop(unsigned access) const;
  /// By a warp, on average.
  double requestsOf(unsigned access) const {
    return warplint::requestsOf(kernel_.accesses[access], frequencies_) *
           partsOfArms_[access];
  }

  // kernel_savings.cpp
  Demand coalescedGather(unsigned access) const;

  /// Cycles to data that L1 holds: the usual order of magnitude.
  static constexpr double cachedLatency = 40;

  const Kernel &kernel_;
  const ShapeCosts &costs_;
  const Throughput &machine_;
  mutable Frequencies frequencies_;
  LaunchTime launch_;
  std::vector<double> partsOfArms_; ///< by access
  std::vector<double> partsHeld_;   ///< by access, as partsHeld has them
  std::vector<double> cyclesOfWalks_; ///< by access, as cyclesOfWalks has them
  std::vector<RequestReuse> reuse_; ///< by access
  std::vector<bool> isInRegisters_; ///< by array
  std::vector<std::vector<unsigned>> loadsBefore_; ///< by access
  /// By access, for blocks of less than a warp: the part of the wavefronts of
  /// the blocks whose threads would fill one that the warp of all of them
  /// takes.
  std::vector<double> joinedWavefronts_;
  /// The most addresses of a request to constant memory that data choose.
  std::vector<double> mostAddresses_;
  std::set<ConstantWords> constantWords_; ///< of known requests
  std::vector<unsigned> joinedBytes_; ///< by access; of its instruction
  std::set<std::pair<unsigned, LoopId>> arraysStored_; ///< by the loop
  mutable std::map<LoopId, double> togetherIn_;        ///< of those asked for
  std::vector<bool> isApart_; ///< stores that loads keep from their neighbours
  std::vector<Demand> accesses_;
  Demand total_;
};

/// Computed when first asked.
const KernelTime &timeOf(const CostedKernel &costed, const ShapeCosts &shape);

} // namespace warplint
