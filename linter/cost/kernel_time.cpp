#include "cost/kernel_time.h"
#include "cost/bookkeeping.h"
#include "cost/cache_sizes.h"
#include "cost/divisions.h"
#include "cost/first_warps.h"
#include "cost/free_stride.h"
#include "cost/load_ahead.h"
#include "cost/load_chains.h"
#include "cost/loaded_index.h"
#include "cost/local_arrays.h"
#include "cost/repeated_operations.h"
#include "cost/same_in_arms.h"
#include "cost/unrolled_code.h"
#include "cost/walked_constants.h"
#include "cost/vector_width.h"
#include "os/deadline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include <map>

namespace warplint {

namespace {

/// Cycles from one instruction of a warp to the next where it waits for nothing
/// but the results of others: some are independent (H200: the median of 155
/// kernels of 76 public programs, from 2.8 to 3.8 for half of them).
constexpr double instructionLatency = 3.4;
/// Addresses of a request that data choose: 32 random bytes have 30 values,
/// those of a text or an image fewer.
constexpr double addressesByData = 16;
/// Iterations from which on the warps of an SM keep in step.
constexpr double longLoop = 8;

/// By access: the most addresses that data choose for a request to constant
/// memory. 'table[bits & 3]' has four.
std::vector<double> mostAddresses(const Kernel &kernel,
                                  const ShapeCosts &costs) {
  std::vector<double> most(kernel.accesses.size(), addressesByData);
  std::optional<LoadedIndexes> indexes;
  for (unsigned i = 0; i < most.size(); ++i) {
    const Access &access = kernel.accesses[i];
    if (!isConstantBank(costs.costs[i].space) || !access.bytes ||
        costs.costs[i].basis != Basis::Unknown)
      continue;
    if (!indexes)
      indexes.emplace(kernel, costs.shape.shape, costs.shape.launches);
    const double reach = double(indexes->reach(access.address));
    most[i] = std::min(most[i], reach / access.bytes + 1);
  }
  return most;
}

/// By access: the bytes of the instruction that executes it, which are those of
/// several loads from shared memory where the compiler joins them, as of a row
/// in an unrolled loop (LDS.128).
std::vector<unsigned> joinedBytes(const Kernel &kernel,
                                  const ShapeCosts &costs) {
  std::vector<unsigned> joined;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Access &access = kernel.accesses[i];
    const Cost &cost = costs.costs[i];
    joined.push_back(access.bytes);
    if (access.operation != Operation::Load || !access.bytes ||
        cost.space != Space::Shared || cost.basis == Basis::Unknown ||
        !cost.active || isOverdue())
      continue;
    // To evaluate the neighbours takes longer than to see that lanes have
    // different parts of a pair.
    if (areAtOnePlace(cost.addresses, cost.active, 2 * access.bytes))
      joined.back() = surelyVectorBytes(kernel, costs.shape.shape, i);
  }
  return joined;
}

} // namespace

KernelTime::KernelTime(const Kernel &kernel, const ShapeCosts &costs,
                       unsigned capability)
    : kernel_(kernel), costs_(costs), machine_(throughputOf(capability)),
      frequencies_(kernel, costs.shape),
      launch_(WarpsOnSms(frequencies_.warps(), frequencies_.warpsPerBlock(),
                         machine_),
              machine_, false),
      mostAddresses_(mostAddresses(kernel, costs)),
      joinedBytes_(joinedBytes(kernel, costs)),
      isApart_(kernel.accesses.size()), accesses_(kernel.accesses.size()) {
  for (const std::optional<unsigned> &store : storesBefore(kernel))
    if (store)
      isApart_[*store] = true;
  for (unsigned array = 0; array < kernel.arrays.size(); ++array)
    isInRegisters_.push_back(canBeInRegisters(kernel, array));
  for (unsigned i = 0; i < accesses_.size(); ++i)
    if (const Access &access = kernel.accesses[i];
        access.space == Space::Constant && access.bytes == wordBytes &&
        costs.costs[i].basis != Basis::Unknown)
      constantWords_.insert(constantWords(access, costs.costs[i]));
  // Its evaluations take memory, and checks ask for the result as long as the
  // source is linted.
  FirstWarps first(kernel, costs.shape);
  SpareStrides spare(kernel);
  partsOfArms_ = partsOfArms(kernel, costs, frequencies_);
  partsHeld_ = partsHeld(kernel, frequencies_);
  const double atOnce = std::min(warps().resident(), warps().perSm());
  cyclesOfWalks_ = cyclesOfWalks(kernel, frequencies_, atOnce,
                                 atOnce / warps().perBlock(), machine_);
  reuse_ = requestReuse(kernel, costs, frequencies_, warps(), machine_, first);
  for (unsigned i = 0; i < accesses_.size() && !isOverdue(); ++i)
    addAccess(i, first, spare);
  if (shapeThreads() < warpSize)
    for (unsigned i = 0; i < accesses_.size() && !isOverdue(); ++i)
      joinedWavefronts_.push_back(joinedWavefronts(i, first));
  if (isOverdue())
    return; // nobody reads the result
  total_.serialNanoseconds = longestUpdates();
  launch_ =
      LaunchTime(warps(), machine_, 2 * sectorsInLoops() > total_.sectors);
  addArithmetic();
  addLatency();
  frequencies_.release();
}

/// Returns the part of the wavefronts of several blocks that is left if one
/// warp has the threads of all: lanes in lines of their own keep theirs (H200:
/// blocks of one thread whose data lie 576 bytes apart took 3 times as long
/// joined to warps).
double KernelTime::joinedWavefronts(unsigned i, FirstWarps &first) const {
  const double blocks = warpSize / shapeThreads();
  const Access &access = kernel_.accesses[i];
  const Cost &cost = costs_.costs[i];
  if (!cost.active || !mayBeGlobal(cost.space))
    return 1 / blocks;
  const auto step = distance(addressIn(first.first, access, cost),
                             addressIn(first.nextBlock, access, cost));
  return step ? std::clamp(*step / lineBytes, 1 / blocks, 1.0) : 1;
}

/// The nanoseconds of the object whose updates take longest.
double KernelTime::longestUpdates() const {
  std::map<std::string, double> updates;
  double longest = 0;
  for (unsigned i = 0; i < accesses_.size(); ++i) {
    double &object = updates[kernel_.accesses[i].object];
    object += accesses_[i].serialNanoseconds;
    longest = std::max(longest, object);
  }
  return longest;
}

/// The sectors that move in loops of many iterations.
double KernelTime::sectorsInLoops() const {
  double sectors = 0;
  for (unsigned i = 0; i < accesses_.size(); ++i)
    if (llvm::any_of(kernel_.accesses[i].loops, [&](LoopId loop) {
          return frequencies_.trips(loop).count >= longLoop;
        }))
      sectors += accesses_[i].sectors;
  return sectors;
}

void KernelTime::addArithmetic() {
  for (const Arithmetic &work : kernel_.arithmetic)
    total_ += demandOf(work);
  const std::vector<bool> repeated = repeatedOperations(kernel_);
  const std::vector<PipeCounts> shared = sharedByDivisions(kernel_, repeated);
  for (size_t i = 0; i < kernel_.operations.size(); ++i) {
    const Computation &operation = kernel_.operations[i];
    // The indexes of addresses are counted as they are shared.
    if (!isFloat(operation.type) && !isDivision(operation))
      continue;
    const PipeCounts pipes =
        repeated[i] ? pipesOf(kernel_, operation) : shared[i];
    if (pipes.all() > 0)
      total_ -= ofPipes(pipes, operation);
  }
  for (unsigned i = 0; i < accesses_.size(); ++i)
    if (partsHeld_[i] < 1)
      total_ -= ofInstructions(1 - partsHeld_[i], kernel_.accesses[i]);
  for (unsigned i = 0; i < accesses_.size(); ++i)
    if (const Access &access = kernel_.accesses[i];
        joinedBytes_[i] > access.bytes)
      total_ -= ofInstructions(1 - double(access.bytes) / joinedBytes_[i],
                               access);
}

Demand KernelTime::ofInstructions(double count, const Access &access) const {
  Arithmetic work;
  work.loops = access.loops;
  work.guard = access.guard;
  work.instructions = count;
  return demandOf(work);
}

/// The number of loops around an operation that leave its inputs as they are,
/// from the innermost one outwards.
static unsigned loopsThatLeave(const Kernel &kernel,
                               const Computation &operation) {
  size_t left = kernel.loopsOf(operation).size();
  for (const Input &input : kernel.inputsOf(operation))
    if (input.source != Input::Source::Constant)
      left = std::min<size_t>(left, input.invariantLoops);
  return operation.inputCount ? left : 0;
}

Demand KernelTime::ofPipes(const PipeCounts &pipes,
                           const Computation &at) const {
  const Arithmetic &under = kernel_.arithmetic[at.under];
  Arithmetic work;
  work.loops = under.loops;
  // What stays the same in a loop is computed before it.
  for (unsigned left = loopsThatLeave(kernel_, at); left; --left)
    work.loops.pop_back();
  work.guard = under.guard;
  addPipes(pipes, work);
  return demandOf(work);
}

Demand KernelTime::demandOf(const Arithmetic &work) const {
  const Frequency frequency = frequencies_.of(work.loops, work.guard);
  Demand demand;
  demand.instructions = work.instructions * frequency.perWarp;
  demand.doubles = work.doubles * frequency.perWarp;
  demand.special = work.special * frequency.perWarp;
  demand.logic = work.logic * frequency.perWarp;
  demand.products = work.products * frequency.perWarp;
  demand.latency =
      work.instructions * longestOf(frequency) * instructionLatency;
  return demand;
}

double KernelTime::longestOf(const Frequency &frequency) const {
  return frequency.longest * std::max(frequency.blocks, 1 / warps().fillings());
}

double KernelTime::addressesOf(unsigned access) const {
  const Cost &cost = costs_.costs[access];
  return cost.basis == Basis::Unknown ? mostAddresses_[access]
                                      : std::max(1.0, cost.wavefronts);
}

Demand KernelTime::ofLoop(LoopId loop) const {
  Demand demand;
  for (unsigned i = 0; i < accesses_.size(); ++i)
    if (llvm::is_contained(kernel_.accesses[i].loops, loop))
      demand += accesses_[i];
  for (const Arithmetic &work : kernel_.arithmetic)
    if (llvm::is_contained(work.loops, loop))
      demand += demandOf(work);
  return demand;
}

Demand KernelTime::ofSides(const Branch &branch) const {
  const ExpressionGraph &graph = kernel_.graph;
  // A side that is taken if a condition does not hold is its negation.
  llvm::SmallSet<ValueId, 8> conditions;
  for (const Side &side : branch.sides) {
    conditions.insert(side.taken);
    for (ValueId operand : graph.operands(side.taken))
      if (graph.node(operand).bits == 1 &&
          graph.node(operand).op != Op::Constant)
        conditions.insert(operand);
  }
  conditions.erase(branch.guard);
  Demand demand;
  for (const Arithmetic &work : kernel_.arithmetic) {
    const bool isOnSide =
        work.guard != branch.guard && !graph.walk(work.guard, [&](ValueId id) {
          return conditions.contains(id)    ? ExpressionGraph::Walk::Stop
                 : graph.node(id).bits == 1 ? ExpressionGraph::Walk::Into
                                            : ExpressionGraph::Walk::Past;
        });
    if (isOnSide)
      demand += demandOf(work);
  }
  return demand;
}

Demand KernelTime::local(const LocalTraffic &access,
                         llvm::ArrayRef<LoopId> loops, ValueId guard) const {
  const Frequency frequency = frequencies_.of(loops, guard);
  Demand demand;
  demand.instructions = frequency.perWarp;
  demand.wavefronts =
      dataWavefronts(warpSize, access.bytes) * frequency.perWarp;
  const double frames = access.frame * warps().threadsAtOnce();
  // L1 writes through. Measured on an H100: 2.2 KB of spills in a frame of 760
  // bytes, for 1,024 threads on each SM, take 0.72 ms beside 0.29 ms.
  const double throughL1 = access.isStore ? 1 : missedPart(frames, cachedInL1);
  demand.sectors =
      demand.wavefronts * throughL1 * lineBytes / double(sectorBytes);
  demand.dramSectors =
      demand.sectors * missedPart(frames * warps().smsUsed(), cachedInL2);
  demand.latency = cachedLatency / loadsAhead * longestOf(frequency);
  return demand;
}

double KernelTime::shapeThreads() const {
  return double(costs_.shape.shape.threads());
}

double KernelTime::cyclesPerWarp() const {
  return cycles(total_) / warps().perSm();
}

Bound KernelTime::bound(const Demand &added) const {
  Demand all = total_;
  all += added;
  return launch_.bound(all);
}

Saving KernelTime::saving(const Demand &saved, const Demand &instead) const {
  return {total_,
          saved,
          instead,
          warps().all(),
          warps().perBlock(),
          launch_.movesInLoops(),
          machine_.capability};
}

double KernelTime::shareOfAdded(const Demand &added) const {
  Demand now = total_;
  now += added;
  return launch_.shareBetween(now, total_);
}

const KernelTime &timeOf(const CostedKernel &costed, const ShapeCosts &shape) {
  if (!shape.time)
    shape.time = std::make_shared<const KernelTime>(costed.kernel, shape,
                                                    costed.capability);
  return *shape.time;
}

} // namespace warplint
