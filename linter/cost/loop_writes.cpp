#include "cost/loop_writes.h"
#include "cost/conditions.h"
#include "cost/loaded_data.h"
#include "cost/reached.h"
#include "cost/repeats.h"
#include "cost/same_address.h"
#include "cost/terms.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

namespace warplint {

namespace {

using Objects = llvm::SmallDenseSet<ObjectId, 4>;
using Walk = ExpressionGraph::Walk;

/// A loop of at most this many iterations writes few enough elements to keep
/// them in registers.
constexpr uint64_t fewIterations = 16;

bool isIn(const Access &access, LoopId loop) {
  return llvm::is_contained(access.loops, loop);
}

/// Returns true if every thread counts through the loop from the same start: no
/// grid-stride loop over the data.
bool countsAlike(const Kernel &kernel, LoopId id) {
  const ExpressionGraph &graph = kernel.graph;
  if (!kernel.loops[id].hasBound)
    return false;
  Evaluation evaluation(kernel);
  Warp warp(evaluation, kernel.shapes.front().shape, 0, 0, 0);
  Iterations iterations;
  for (ValueId value = 0; value < graph.size(); ++value) {
    const Node &node = graph.node(value);
    bool counter = node.op == Op::Carried && node.number == id && node.bits > 1;
    if (counter && !node.pointer &&
        !warp.evaluate(value, iterations).isUniform())
      return false;
  }
  return true;
}

/// Returns true if threads exchange values in the iterations of the loop: it
/// has a barrier, and loads the same object in other lanes or at other
/// addresses.
bool passesOn(const CostedKernel &costed, unsigned write, LoopId loop) {
  const Kernel &kernel = costed.kernel;
  if (!kernel.loops[loop].hasBarrier)
    return false;
  const std::vector<Cost> &costs = costed.shapes.front().costs;
  if (!costs[write].active)
    return true; // the address is unknown
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Access &access = kernel.accesses[i];
    if (access.operation != Operation::Load || !isIn(access, loop))
      continue;
    if (!costs[i].active) { // somewhere in its object
      if (!access.object.empty() &&
          access.object == kernel.accesses[write].object)
        return true;
      continue;
    }
    // Lanes that share an element, or do not write it, read what others wrote.
    if (objectOf(costs[i]) == objectOf(costs[write]) &&
        (costs[i].addresses != costs[write].addresses ||
         costs[i].active != costs[write].active ||
         distinctAddresses(costs[i].addresses, costs[i].active) <
             unsigned(llvm::popcount(costs[i].active))))
      return true;
  }
  return false;
}

/// The addresses that the loop loads.
llvm::DenseSet<ValueId> loadedIn(const Kernel &kernel, LoopId loop) {
  llvm::DenseSet<ValueId> loaded;
  for (const Access &access : kernel.accesses)
    if (access.operation == Operation::Load && isIn(access, loop))
      loaded.insert(access.address);
  return loaded;
}

/// Returns true if each iteration fills the object and reads it again: an array
/// of temporaries, too large for registers. Such a loop stores other elements
/// without loading them first, and loads elements other than this one.
bool isWorkspace(const CostedKernel &costed, unsigned write, LoopId loop) {
  const Kernel &kernel = costed.kernel;
  const std::vector<Cost> &costs = costed.shapes.front().costs;
  if (!costs[write].active)
    return false;
  const llvm::DenseSet<ValueId> loaded = loadedIn(kernel, loop);
  bool isFilled = false, isRead = false;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Access &access = kernel.accesses[i];
    if (access.address == kernel.accesses[write].address || !costs[i].active ||
        !isIn(access, loop) || objectOf(costs[i]) != objectOf(costs[write]))
      continue;
    isRead |= access.operation == Operation::Load;
    isFilled |= access.operation == Operation::Store &&
                !loaded.contains(access.address);
  }
  return isFilled && isRead;
}

/// Adds the objects that `address` points into.
void addBases(const ExpressionGraph &graph, ValueId address, Objects &into) {
  graph.walk(address, [&](ValueId id) {
    const Node &node = graph.node(id);
    if (node.op == Op::Base)
      into.insert(node.number);
    // A loaded index has a base of its own.
    return node.op == Op::Loaded ? Walk::Past : Walk::Into;
  });
}

/// Returns true if the address is computed from memory that the loop writes,
/// such as a cursor that each iteration advances.
bool cursorMoves(const Kernel &kernel, const Access &write, LoopId loop) {
  const ExpressionGraph &graph = kernel.graph;
  Objects read, written;
  graph.walk(write.address, [&](ValueId id) {
    if (graph.node(id).op == Op::Loaded)
      addBases(graph, graph.operand(id, 0), read);
    return Walk::Into;
  });
  if (read.empty())
    return false;
  for (const Access &access : kernel.accesses)
    if (access.operation != Operation::Load && isIn(access, loop))
      addBases(graph, access.address, written);
  return llvm::any_of(
      read, [&](ObjectId object) { return written.contains(object); });
}

/// Returns true if the write signals a rare event, such as
/// 'if (n > room) *overflow = 1': a condition on data that the iteration loads
/// guards it, and all threads or all iterations write the same. A local
/// variable would cost each thread a store.
bool isSignal(const CostedKernel &costed, unsigned write, LoopId loop) {
  const Kernel &kernel = costed.kernel;
  const Access &access = kernel.accesses[write];
  if (access.operation != Operation::Store ||
      !(access.storesSame ||
        sameAddressForAll(kernel, costed.shapes.front().shape.shape, access)))
    return false;
  return !loadedIn(kernel, loop).contains(access.address) &&
         dependsOnDataOfIteration(kernel, access.guard, loop);
}

/// Returns true if data select the iterations that store an element which lanes
/// share, and nothing gives it a value before: a local variable of each lane
/// would overwrite what the others stored.
bool hasNoOtherValue(const CostedKernel &costed, unsigned write, LoopId loop) {
  const Kernel &kernel = costed.kernel;
  const Access &access = kernel.accesses[write];
  const Cost &cost = costed.shapes.front().costs[write];
  return access.operation == Operation::Store &&
         isSelectedByData(kernel, access, loop) &&
         !loadedIn(kernel, loop).contains(access.address) &&
         distinctAddresses(cost.addresses, cost.active) <
             unsigned(llvm::popcount(cost.active));
}

/// Returns true if the loop loads what its atomic updates, and so what other
/// threads have made of it: a barrier of all blocks, or the best value so far.
bool isShared(const Kernel &kernel, const Access &write, LoopId loop) {
  return write.operation == Operation::Atomic &&
         loadedIn(kernel, loop).contains(write.address);
}

/// Returns true if the loop searches: it writes where what an iteration loads
/// equals a value that all iterations share, such as the row's own column among
/// those of its entries, or where an atomic returns one value. Data decide how
/// often, mostly once or in a few of many.
bool isFound(const Kernel &kernel, const Access &write, LoopId loop) {
  const ExpressionGraph &graph = kernel.graph;
  const std::vector<uint64_t> &loops = graph.loopsOf();
  auto isShared = [&](ValueId id) {
    return graph.node(id).op != Op::Constant &&
           !(loops[id] & ExpressionGraph::loopBit(loop));
  };
  // Behind one before the loop, the last block may sum up what all have stored.
  const bool hasAtomic =
      llvm::any_of(kernel.accesses, [&](const Access &access) {
        return access.operation == Operation::Atomic && access.resultUsed &&
               isIn(access, loop);
      });
  std::vector<ValueId> conditions;
  addConditions(graph, write.guard, conditions);
  conditions = withEntries(graph, loop, conditions);
  return llvm::any_of(conditions, [&](ValueId condition) {
    Op op = Op::Equal;
    if (graph.node(condition).op == Op::Xor &&
        graph.isConstant(graph.operands(condition).back(), 1)) {
      condition = graph.operand(condition, 0); // a negation
      op = Op::NotEqual;
    }
    if (graph.node(condition).op != op)
      return false;
    const ValueId left = graph.operand(condition, 0),
                  right = graph.operand(condition, 1);
    // Of all threads that compare it with one value, one or a few find that.
    if (hasAtomic && llvm::any_of(graph.operands(condition), [&](ValueId side) {
          return isResultOfAtomic(graph, withoutResizing(graph, side));
        }))
      return true;
    return (isShared(left) && dependsOnDataOfIteration(kernel, right, loop)) ||
           (isShared(right) && dependsOnDataOfIteration(kernel, left, loop));
  });
}

/// Returns true if the loop repeats the write and needs each of the values.
bool needsEach(const CostedKernel &costed, unsigned write, LoopId loop) {
  const Access &access = costed.kernel.accesses[write];
  return !comesAgain(costed, access, loop) || passesOn(costed, write, loop) ||
         cursorMoves(costed.kernel, access, loop) ||
         isSignal(costed, write, loop) || isWorkspace(costed, write, loop) ||
         isShared(costed.kernel, access, loop) ||
         hasNoOtherValue(costed, write, loop) ||
         isFound(costed.kernel, access, loop);
}

/// Returns true if one pass through the loop writes elements that fit in
/// registers: few, or as many as an argument says.
bool writesFew(const Kernel &kernel, LoopId id) {
  const Loop &loop = kernel.loops[id];
  return !loop.hasBarrier && (loop.tripCount ? *loop.tripCount <= fewIterations
                                             : countsAlike(kernel, id));
}

} // namespace

std::optional<RepeatedWrite> repeatedWrite(const CostedKernel &costed,
                                           unsigned write) {
  const Kernel &kernel = costed.kernel;
  const Access &access = kernel.accesses[write];
  std::optional<RepeatedWrite> repeats;
  std::vector<LoopId> elements;
  for (LoopId id : llvm::reverse(access.loops)) {
    const Loop &loop = kernel.loops[id];
    // A library's loop around the user's code is not the user's to change.
    if (loop.inLibrary || loop.hasFence || loop.tripCount == 1)
      break;
    auto same = sameAddressNextIteration(
        kernel, costed.shapes.front().shape.shape, access, id);
    if (!same)
      break;
    if (*same) {
      if (needsEach(costed, write, id))
        break;
      repeats = {repeats ? repeats->innermost : id, id, elements};
      continue;
    }
    if (!writesFew(kernel, id))
      break;
    elements.push_back(id);
  }
  return repeats;
}

} // namespace warplint
