// A kernel and its costs to the time that it takes on one multiprocessor (SM),
// by what binds it, and the share of that time which a change would save.
//
// A model, not a simulation: it orders findings and tells what cannot matter.
// Its constants come from cost/throughput and from the H200's measurements of
// small kernels (docs/cost.md).
#pragma once
#include "cost/costed.h"
#include "cost/frequency.h"
#include "cost/gather.h"
#include "cost/throughput.h"
#include "model/pipe_counts.h"
#include <array>
#include <map>
#include <memory>

namespace warplint {

/// The use of resources by the warps of a launch, on average for one warp.
struct Demand {
  double instructions = 0; ///< issue slots
  double doubles = 0;      ///< instructions of the FP64 pipe
  double special = 0;      ///< instructions of the XU
  double wavefronts = 0;   ///< of L1: global, shared and local requests
  double sectors = 0;      ///< between L1 and L2
  /// What stores take of L2 beyond the time of their sectors, in sectors.
  double storing = 0;
  double dramSectors = 0; ///< between L2 and DRAM
  /// Those of them that L2 holds if the memory that gathers reach is small: only
  /// the run knows how large it is.
  double unsureSectors = 0;
  double latency = 0; ///< cycles that the slowest warp waits if it runs alone
  /// Cycles that all warps of an SM wait at once, for the same data: none of
  /// them has work that covers the others' wait.
  double together = 0;
  /// Nanoseconds in which the whole launch updates the busiest addresses of an
  /// object, one update after the other. Objects are updated side by side
  /// (H200: two addresses 0.5 MB apart take the time of one, two in a sector
  /// twice that and more); the sum of two demands is that of updates of one
  /// object.
  double serialNanoseconds = 0;

  Demand &operator+=(const Demand &other);
  Demand &operator-=(const Demand &other); ///< not below 0
  Demand operator*(double factor) const;
  Demand waits() const; ///< its latency alone
  Demand ofSmallData() const; ///< without `unsureSectors`
};

/// An access of each lane to one place of its thread's frame.
struct LocalTraffic {
  bool isStore = false;
  unsigned bytes = 0; ///< of a lane
  unsigned frame = 0; ///< bytes of a thread
};

/// The resource that limits a kernel: "DRAM", "L2", "L1 and shared memory",
/// "instructions", "FP64", "XU", "latency", "atomics on one address".
enum class Bound { Dram, L2, L1, Issue, Doubles, Special, Latency, Atomics };
const char *spelling(Bound bound);

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
  /// bytes as they need.
  Demand coalesced(unsigned access) const;
  /// The same if each request took `wavefronts`.
  Demand withWavefronts(unsigned access, double wavefronts) const;
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
  /// The saving if `moved` are executed once each time that `loop` is
  /// entered. Loads can be made ahead when no store is left in the loop.
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
  /// `usualWarps` warps on each SM.
  double cycles(const Demand &demand) const {
    return cycles(demand, resident());
  }
  /// The cycles of one SM for each warp that it executes.
  double cyclesPerWarp() const;
  Bound bound(const Demand &added = {}) const; ///< with what is added to it
  /// From 0 to 1: how much less time the kernel takes without `saved`.
  /// If only the run knows how much memory a gather reaches: the mean of that of
  /// memory that L2 holds, and of more.
  double share(const Demand &saved) const;
  /// The same for what the compiler added to the demand of the source.
  double shareOfAdded(const Demand &added) const;
  /// The same if an SM held `then` warps instead of `now`.
  double shareOfWarps(double now, double then) const;
  /// From 0 to 1: how much less time the launch takes if it starts one block
  /// where it starts `together` now.
  double shareOfStarts(double together) const;
  /// Returns true if the start of blocks takes longer than all that they do.
  bool isBoundByStarts() const;
  std::optional<double> microseconds() const; ///< if the grid is known
  /// Iterations of a loop that loads ahead whose loads are under way together.
  double togetherIn(LoopId loop) const;
  Frequencies &frequencies() const { return frequencies_; }
  const Throughput &machine() const { return machine_; }

  static constexpr double usualWarps = 256;
  /// The share of the warps that an SM can hold: registers often allow no more.
  static constexpr double residentShare = 0.75;
  /// That an SM of large GPUs holds (CUDA programming guide); others hold 16 to
  /// 24.
  static constexpr unsigned mostBlocks = 32;

private:
  void addAccess(unsigned access);
  double loadWavefronts(unsigned access, double lines) const;
  double banksOf(unsigned access) const;
  double computeJoinedWavefronts(unsigned access, Warp &next) const;
  double joinedPart(unsigned store) const;
  double requestsOf(unsigned access) const;
  bool isHeldInL1(unsigned array) const;
  double longestUpdates() const;
  double sectorsInLoops() const;
  void addArithmetic();
  double latencyOf(unsigned access) const;
  /// Of a request to constant memory, by its different addresses.
  static double constantLatency(double addresses);
  /// Of a request to constant memory; of one that data choose, an estimate.
  double addressesOf(unsigned access) const;
  double missLatencyOf(unsigned access) const;
  Demand waitOf(unsigned access, double times) const;
  bool isAwaitedTogether(unsigned access) const;
  void addLatency();
  /// Cycles to data that L1 holds: the usual order of magnitude.
  static constexpr double cachedLatency = 40;
  /// Factors of what a request moves.
  struct Reuse {
    double sectors = 1, dramSectors = 1;
    /// Of this warp's own requests, in L1 and in L2.
    double misses = 1, dramMisses = 1;
    bool isFilled = false; ///< others use the rest of its sectors
    std::optional<double> wavefronts = {}; ///< of a gather's request
  };
  Reuse computeReuse(unsigned access);
  /// From 0 to 1: what each cache no longer has of what it held before.
  struct Lost {
    double byL1 = 0, byL2 = 0;
  };
  Lost lostIn(LoopId loop);
  void addGather(unsigned access, const GatherCost &gather,
                 const RowBegins &begins);
  double partOfNextBlock(std::optional<uint64_t> here,
                         std::optional<uint64_t> next) const;
  std::optional<uint64_t> addressIn(unsigned access, Warp &warp,
                                    const Iterations &iterations) const;
  std::optional<double> addressStep(unsigned access, LoopId loop);
  void limitBySpan(unsigned access, Reuse &reuse);
  bool isArrayStoredIn(const Access &load, LoopId loop) const;
  bool isSwapLoop(unsigned access) const;
  double blocksThatLoadTheSame(const Access &access) const;
  double blocksAlong(unsigned dimension) const;
  Demand demandOf(const Arithmetic &work) const;
  double shapeThreads() const;
  double shareOfSms(double most, double share, double used) const;
  /// What is saved of a demand if its work is spread over `then` SMs, and
  /// `waits` of its waits are left.
  Demand savedOnSms(const Demand &demand, double then, double waits) const;
  double warpsInAll() const; ///< of the launch
  double multiprocessorsUsed() const;
  double warpsPerSm() const;  ///< of those that are used, in all
  double threadsOnSm() const; ///< at a time
  double cycles(const Demand &demand, double resident) const;
  /// The same with the start of blocks.
  double cyclesWithStarts(const Demand &demand, double resident) const;
  double cyclesWithStarts(const Demand &demand) const {
    return cyclesWithStarts(demand, resident());
  }
  /// Cycles from the first block's start to the last one's, if nothing else
  /// takes longer.
  double cyclesOfStarts() const;
  double cyclesOfLaunch() const; ///< whatever the kernel does
  double shareBetween(const Demand &now, const Demand &then) const;
  /// Executions by the warp that an SM waits for. Blocks that a guard sends home
  /// at once leave it as many fillings less.
  double longestOf(const Frequency &frequency) const;
  /// The warps of the launch's blocks that an SM holds at once.
  double resident() const;
  /// How often an SM fills itself with `resident` warps.
  double fillings(double resident) const;
  static double fillings(double warps, double resident);
  /// By Bound, for `resident` warps on an SM at once.
  std::array<double, 8> cyclesBy(const Demand &demand, double resident) const;

  const Kernel &kernel_;
  const ShapeCosts &costs_;
  const Throughput &machine_;
  mutable Frequencies frequencies_;
  /// The first two warps of a block; null once the accesses are read.
  std::unique_ptr<Evaluation> evaluation_;
  std::unique_ptr<Warp> warp_, neighbour_, nextBlock_;
  std::unique_ptr<Warp> odd_;       ///< the first one, with odd sizes
  std::vector<Reuse> reuse_;        ///< by access
  std::vector<double> inL2_; ///< of gathers: the part that L1 does not have
  std::vector<bool> isReachUnknown_; ///< of gathers
  std::map<LoopId, Lost> lost_;
  std::vector<bool> isInRegisters_; ///< by array
  std::array<bool, 3> isUsed_{};    ///< dimensions of the grid that matter
  /// By access, for blocks of less than a warp: the part of the wavefronts of
  /// the blocks whose threads would fill one that the warp of all of them
  /// takes.
  std::vector<double> joinedWavefronts_;
  /// The most addresses of a request to constant memory that data choose.
  std::vector<double> mostAddresses_;
  std::vector<bool> isRow_;    ///< gathers that use all bytes of their sectors
  std::vector<bool> isSample_; ///< gathers whose lanes are close to each other
  std::vector<bool> isApart_;  ///< stores that loads keep from their neighbours
  bool movesInLoops_ = false;  ///< most of its sectors
  std::vector<Demand> accesses_;
  Demand total_;
};

/// Computed when first asked.
const KernelTime &timeOf(const CostedKernel &costed, const ShapeCosts &shape);

} // namespace warplint
