#include "cost/same_address.h"
#include "cost/address_roots.h"
#include "cost/steady.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace warplint {

using Walk = ExpressionGraph::Walk;

namespace {

/// Returns true if the address is computed from memory that the loop writes: a
/// ticket, an index that advances.
bool readsWhatIsWritten(const Kernel &kernel, ValueId address, LoopId loop) {
  const ExpressionGraph &graph = kernel.graph;
  llvm::DenseSet<ValueId> read;
  graph.walk(address, [&](ValueId id) {
    if (graph.node(id).op == Op::Loaded)
      for (ValueId root : rootsInMemory(graph, graph.operand(id, 0)))
        read.insert(root);
    return Walk::Into;
  });
  return !read.empty() &&
         llvm::any_of(kernel.accesses, [&](const Access &access) {
           return access.operation != Operation::Load &&
                  llvm::is_contained(access.loops, loop) &&
                  llvm::any_of(
                      rootsInMemory(graph, access.address),
                      [&](ValueId root) { return read.contains(root); });
         });
}

/// Returns true if the address rests on a counter of the loop that only the
/// probe values keep from moving, as by `blockDim.x / width`: the loop would
/// never end.
bool restsOnHaltedCounter(const ExpressionGraph &graph, ValueId address,
                          LoopId loop, Evaluated now, Evaluated next) {
  return !graph.walk(address, [&](ValueId id) {
    const Node &node = graph.node(id);
    if (node.op != Op::Carried || node.number != loop)
      return Walk::Into;
    const LaneValues &one = now(id), &other = next(id);
    return other.assumed && one.value == other.value ? Walk::Stop : Walk::Into;
  });
}

} // namespace

std::optional<bool> sameAddressNextIteration(const Kernel &kernel, Shape shape,
                                             const Access &access,
                                             LoopId loop) {
  if (readsWhatIsWritten(kernel, access.address, loop))
    return std::nullopt;
  Evaluation evaluation(kernel);
  const Iterations first;
  Iterations second = first;
  second[loop] = 1;
  // One trial proves that addresses differ. It does not prove that they are
  // equal: that may be a coincidence of probe values.
  bool same = true;
  for (unsigned trial = 0; trial < 3; ++trial) {
    Warp warp(evaluation, shape, 0, 0, trial);
    const LaneValues &now = warp.evaluate(access.address, first);
    const LaneValues &next = warp.evaluate(access.address, second);
    if (now.unknown || next.unknown)
      return std::nullopt;
    if (now.value != next.value)
      return false;
    auto inFirst = [&](ValueId id) -> const LaneValues & {
      return warp.evaluate(id, first);
    };
    auto inSecond = [&](ValueId id) -> const LaneValues & {
      return warp.evaluate(id, second);
    };
    same = same &&
           !mayDiffer(kernel.graph, access.address, inFirst, inSecond) &&
           !restsOnHaltedCounter(kernel.graph, access.address, loop, inFirst,
                                 inSecond);
  }
  return same ? std::optional(true) : std::nullopt;
}

static bool mayDifferBetween(const ExpressionGraph &graph, ValueId value,
                             Warp &one, Warp &other) {
  const Iterations first;
  return mayDiffer(
      graph, value,
      [&](ValueId id) -> const LaneValues & { return one.evaluate(id, first); },
      [&](ValueId id) -> const LaneValues & {
        return other.evaluate(id, first);
      });
}

bool sameAddressForAll(const Kernel &kernel, Shape shape,
                       const Access &access) {
  Evaluation evaluation(kernel);
  const Iterations iterations;
  std::optional<uint64_t> common;
  auto hasCommon = [&](Warp &warp) {
    const LaneValues &address = warp.evaluate(access.address, iterations);
    if (address.unknown || !address.isUniform() ||
        common.value_or(address.value[0]) != address.value[0])
      return false;
    common = address.value[0];
    return true;
  };
  Warp one(evaluation, shape, 0, 0, 0), other(evaluation, shape, 0, 1, 0);
  // Most addresses depend on the block.
  if (!hasCommon(one) || !hasCommon(other))
    return false;
  llvm::SmallVector<unsigned, 2> further;
  const unsigned last = shape.warps() - 1;
  if (last > 0)
    further.push_back(1);
  if (last > 1)
    further.push_back(last);
  for (unsigned block : {0, 1})
    for (unsigned index : further)
      if (Warp warp(evaluation, shape, index, block, 0); !hasCommon(warp))
        return false;
  return !mayDifferBetween(kernel.graph, access.address, one, other);
}

bool mayDifferByBlock(Evaluation &evaluation, Shape shape, ValueId value) {
  Warp one(evaluation, shape, 0, 0, 0), other(evaluation, shape, 0, 1, 0);
  return mayDifferBetween(evaluation.kernel.graph, value, one, other);
}

} // namespace warplint
