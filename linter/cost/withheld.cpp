#include "cost/withheld.h"
#include "cost/address_roots.h"
#include "cost/arguments.h"
#include "cost/launch_size.h"
#include "cost/load_ahead.h"
#include "cost/load_chains.h"
#include "cost/loaded_data.h"
#include "cost/repeats.h"
#include "cost/same_address.h"
#include "cost/terms.h"
#include "model/may_be_global.h"
#include "model/same_pointers.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace warplint {

namespace {

bool isWrite(const Access &access) {
  return access.operation != Operation::Load;
}

/// Returns true for a load that the user's code asks for each time, and that
/// the compiler may make elsewhere.
bool isLoadedEachTime(const Access &access) {
  return !isWrite(access) && access.need == Need::EachTime &&
         !access.isVolatile && !access.isAsync && !access.inLibrary &&
         access.bytes;
}

/// Collects the accesses that the kernel makes through each of its pointers.
class Pointers {
public:
  explicit Pointers(const Kernel &kernel) : kernel_(kernel) {
    for (const Access &access : kernel.accesses) {
      of_.push_back(passedPointerOf(kernel, access));
      if (isWrite(access))
        leaveOutRoots(access);
      else if (of_.back() && (access.isRestrict || access.isReadOnly))
        leftOut_.insert(*of_.back());
    }
  }

  /// The pointer of a load, if the kernel only reads through it and nothing in
  /// the source says that it is not written.
  std::optional<ValueId> readOnly(unsigned access) const {
    return !isAnyWritten_ && of_[access] && !leftOut_.contains(*of_[access]) &&
                   !isPassedAsWritten(*of_[access])
               ? of_[access]
               : std::nullopt;
  }

private:
  /// A launch that passes the argument as one that is written, too, breaks the
  /// promise.
  bool isPassedAsWritten(ValueId pointer) const {
    const Node &node = kernel_.graph.node(pointer);
    return node.op == Op::Base && llvm::any_of(written_, [&](ObjectId other) {
             return arePassedAsOne(kernel_, ObjectId(node.number), other);
           });
  }

  /// A pointer that may be one of several arguments writes to all of them, and
  /// one that is not followed to any.
  void leaveOutRoots(const Access &write) {
    if (!mayBeGlobal(write.space))
      return;
    for (ValueId root : addressRoots(kernel_.graph, write.address)) {
      const Node &node = kernel_.graph.node(root);
      if (node.op == Op::Base)
        written_.insert(ObjectId(node.number));
      if (node.op == Op::Base || node.op == Op::Loaded)
        leftOut_.insert(root);
      isAnyWritten_ |= node.pointer && node.op == Op::Varying;
    }
  }

  const Kernel &kernel_;
  std::vector<std::optional<ValueId>> of_; ///< by access
  llvm::DenseSet<ValueId> leftOut_;
  llvm::DenseSet<ObjectId> written_;
  bool isAnyWritten_ = false;
};

bool writesIn(const Kernel &kernel, const ShapeCosts &shape, LoopId loop) {
  for (unsigned i = 0; i < kernel.accesses.size(); ++i)
    if (isWrite(kernel.accesses[i]) && mayBeGlobal(shape.costs[i].space) &&
        llvm::is_contained(kernel.accesses[i].loops, loop))
      return true;
  return false;
}

/// The innermost loop around a load, but for those that the compiler unrolls
/// and that write nothing: their loads belong to an iteration of the next one.
LoopId loopAround(const Kernel &kernel, const ShapeCosts &shape,
                  const Access &load) {
  constexpr uint64_t unrolled = 16;
  for (LoopId loop : llvm::reverse(load.loops)) {
    const auto trips = kernel.loops[loop].tripCount;
    if (!trips || *trips > unrolled || kernel.loops[loop].hasBarrier ||
        writesIn(kernel, shape, loop))
      return loop;
  }
  return load.loops.back();
}

/// Returns true if loaded data decide in each iteration anew.
bool isChosenByData(const Kernel &kernel, ValueId guard, LoopId loop) {
  using Walk = ExpressionGraph::Walk;
  const bool changes = !kernel.graph.walk(guard, [&](ValueId id) {
    const Node &node = kernel.graph.node(id);
    return node.op == Op::Carried && node.number == loop ? Walk::Stop
                                                         : Walk::Into;
  });
  return changes && dependsOnLoadedData(kernel, guard);
}

/// The writes of a kernel that may be to global memory, and those of them that
/// an iteration of a loop does not leave to the others.
class GlobalWrites {
public:
  GlobalWrites(const Kernel &kernel, const ShapeCosts &shape)
      : kernel_(kernel), shape_(shape) {
    for (unsigned i = 0; i < kernel.accesses.size(); ++i)
      if (isWrite(kernel.accesses[i]) && mayBeGlobal(shape.costs[i].space))
        all_.push_back(i);
  }

  bool isEmpty() const { return all_.empty(); }

  /// Each load of the loop asks.
  const std::vector<unsigned> &in(LoopId loop) {
    auto [place, isNew] = in_.try_emplace(loop);
    if (isNew)
      for (unsigned i : all_)
        if (staysIn(kernel_.accesses[i], loop))
          place->second.push_back(i);
    return place->second;
  }

private:
  /// A write of one element leaves the loop first, unless the data of each
  /// iteration decide on it: repeated-global-write.
  bool staysIn(const Access &write, LoopId loop) const {
    return llvm::is_contained(write.loops, loop) &&
           (sameAddressNextIteration(kernel_, shape_.shape.shape, write,
                                     loop) != true ||
            isChosenByData(kernel_, write.guard, loop));
  }

  const Kernel &kernel_;
  const ShapeCosts &shape_;
  std::vector<unsigned> all_; ///< accesses
  std::map<LoopId, std::vector<unsigned>> in_;
};

/// A load that the stores in a loop around it, or a barrier, withhold.
std::optional<Withheld> withheldInLoop(const CostedKernel &costed, unsigned i,
                                       GlobalWrites &writes) {
  const Kernel &kernel = costed.kernel;
  const ShapeCosts &shape = costed.shapes.front();
  const Access &load = kernel.accesses[i];
  const LoopId around = loopAround(kernel, shape, load);
  Withheld one;
  one.loop = around;
  const Loop &loop = kernel.loops[around];
  if (loop.inLibrary || loop.hasFence || loop.tripCount == 1)
    return std::nullopt;
  bool isPromised = false, isStored = false, isBehindWrite = false;
  for (unsigned w : writes.in(around)) {
    const Access &write = kernel.accesses[w];
    isPromised |= write.isRestrict;
    isBehindWrite |= w < i;
    isStored |= write.operation == Operation::Store;
    if (!one.write)
      one.write = w;
  }
  one.isInvariant = couldLeave(costed, i, around);
  const bool isBehindBarrier =
      !one.write && loop.hasBarrier && !writes.isEmpty() && one.isInvariant;
  if ((!one.write && !isBehindBarrier) || isPromised)
    return std::nullopt;
  // Nobody waits for an update whose result is unused.
  if (!one.isInvariant && !isStored)
    return std::nullopt;
  // The next iteration's load is not made ahead, whatever is promised: nobody
  // knows before whether there is one.
  if (!one.isInvariant && !isBehindWrite &&
      (loop.mayWrap ||
       dependsOnDataOfIteration(kernel, loop.continues, around)))
    return std::nullopt;
  return one;
}

} // namespace

std::vector<Withheld> withheldLoads(const CostedKernel &costed) {
  const Kernel &kernel = costed.kernel;
  std::vector<Withheld> found;
  // A library's dispatch gets its data in members of an object.
  if (kernel.isDispatched)
    return found;
  const Pointers pointers(kernel);
  const auto stores = storesBefore(kernel);
  GlobalWrites writes(kernel, costed.shapes.front());
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Access &load = kernel.accesses[i];
    if (!isLoadedEachTime(load))
      continue;
    const std::optional<ValueId> pointer = pointers.readOnly(i);
    if (!pointer)
      continue;
    std::optional<Withheld> one;
    if (!load.loops.empty())
      one = withheldInLoop(costed, i, writes);
    else if (stores[i])
      one.emplace().write = stores[i];
    if (!one)
      continue;
    one->load = i;
    one->pointer = *pointer;
    one->isMember = kernel.graph.node(*pointer).op == Op::Loaded;
    // The compiler does not unroll a loop that steps by the grid: what several
    // iterations load is not under way at once, whatever is promised.
    if (one->isMember &&
        (one->isInvariant || !one->loop || stepsByGrid(kernel, *one->loop)))
      continue;
    found.push_back(*one);
  }
  return found;
}

bool couldLeave(const CostedKernel &costed, unsigned load, LoopId loop) {
  const Kernel &kernel = costed.kernel;
  const ShapeCosts &shape = costed.shapes.front();
  const Access &access = kernel.accesses[load];
  const Loop &of = kernel.loops[loop];
  return isLoadedEachTime(access) && mayBeGlobal(shape.costs[load].space) &&
         !of.inLibrary && !of.hasFence && of.tripCount != 1 &&
         sameAddressNextIteration(kernel, shape.shape.shape, access, loop) ==
             true &&
         comesAgain(costed, access, loop);
}

std::vector<unsigned> loadsKeptBy(const CostedKernel &costed,
                                  llvm::ArrayRef<unsigned> writes,
                                  LoopId loop) {
  const Kernel &kernel = costed.kernel;
  const std::vector<Cost> &costs = costed.shapes.front().costs;
  llvm::DenseSet<ValueId> written;
  bool isAnyKept = kernel.notFollowed.empty() && !kernel.loops[loop].hasBarrier,
       isPromised = true;
  for (unsigned i : writes) {
    written.insert(kernel.accesses[i].address);
    isPromised &= kernel.accesses[i].isRestrict;
  }
  for (unsigned i = 0; i < kernel.accesses.size(); ++i)
    isAnyKept &= !isWrite(kernel.accesses[i]) || !mayBeGlobal(costs[i].space) ||
                 !llvm::is_contained(kernel.accesses[i].loops, loop) ||
                 llvm::is_contained(writes, i);
  isAnyKept &= !isPromised;
  std::vector<unsigned> kept;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Access &load = kernel.accesses[i];
    const auto outermost = llvm::find(load.loops, loop);
    if (isWrite(load) || outermost == load.loops.end())
      continue;
    if (written.contains(load.address) ||
        (isAnyKept && !load.isRestrict && !load.isReadOnly &&
         !dependsOnDataOfIteration(kernel, load.guard, loop) &&
         std::all_of(outermost, load.loops.end(),
                     [&](LoopId each) { return couldLeave(costed, i, each); })))
      kept.push_back(i);
  }
  return kept;
}

bool isStored(const Kernel &kernel, ValueId address) {
  return llvm::any_of(kernel.accesses, [&](const Access &access) {
    return access.operation == Operation::Store && access.address == address;
  });
}

Demand savedByNeighbours(const CostedKernel &costed, const ShapeCosts &shape,
                         const Withheld &one) {
  const Kernel &kernel = costed.kernel;
  const Access &load = kernel.accesses[one.load];
  const Cost &cost = shape.costs[one.load];
  Demand saved;
  // Where the addresses are known, so is what L1 keeps of them.
  const auto step = bytesOfStep(kernel.graph, load.address, *one.loop);
  if (cost.basis != Basis::Unknown || !step || load.loops.back() != *one.loop)
    return saved;
  const double part = std::abs(double(*step)) / sectorBytes;
  const Demand &now = timeOf(costed, shape).of(one.load);
  const double left = std::min(1.0, std::max(part, 1 / loadsAhead));
  saved.sectors = now.sectors * (1 - left);
  saved.dramSectors = now.dramSectors * (1 - left);
  return saved;
}

} // namespace warplint
