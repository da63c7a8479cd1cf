#include "cost/stepped_memory.h"
#include "cost/conditions.h"
#include "cost/counter_steps.h"
#include "cost/reached.h"
#include "model/may_be_global.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace warplint {

/// Returns true if a value moves by the same in each iteration of a loop as far
/// as its operations say: a remainder or a mask would lead back to its first
/// element, and a stride that is halved takes shorter steps.
static bool movesEvenly(const ExpressionGraph &graph, ValueId value,
                        const std::vector<uint64_t> &loops, LoopId loop) {
  using Walk = ExpressionGraph::Walk;
  auto isCounter = [&](ValueId id) {
    const ValueId next = graph.operand(id, 1);
    const Op op = graph.node(next).op;
    return graph.node(id).number == loop &&
           (op == Op::Add || op == Op::Subtract) &&
           llvm::is_contained(graph.operands(next), id);
  };
  return graph.walk(value, [&](ValueId id) {
    if (!(loops[id] & ExpressionGraph::loopBit(loop)))
      return Walk::Past;
    const Op op = graph.node(id).op;
    if (op == Op::Carried && isCounter(id))
      return Walk::Past;
    return isLinear(op) ? Walk::Into : Walk::Stop;
  });
}

/// The bytes from each lane's value to that of the next lane, if they are the
/// same for all lanes, whatever the sizes are.
static std::optional<double> betweenLanes(Evaluation &evaluation, Shape shape,
                                          ValueId value) {
  std::optional<int64_t> bytes;
  for (unsigned trial = 0; trial < 2; ++trial) {
    Warp warp(evaluation, shape, 0, 0, trial);
    const LaneValues first = warp.evaluate(value, {});
    if (first.unknown || warp.lanes() != allLanes)
      return std::nullopt;
    for (unsigned lane = 1; lane < warpSize; ++lane) {
      const int64_t moved = first.value[lane] - first.value[lane - 1];
      if (moved != bytes.value_or(moved))
        return std::nullopt;
      bytes = moved;
    }
  }
  return std::abs(double(*bytes));
}

std::optional<double> iterationsThroughArrays(Evaluation &evaluation,
                                              Shape shape, LoopId loop) {
  const Kernel &kernel = evaluation.kernel;
  const ExpressionGraph &graph = kernel.graph;
  const std::vector<uint64_t> &loops = graph.loopsOf();
  const uint64_t bit = ExpressionGraph::loopBit(loop);
  std::vector<ValueId> ends;
  addConditions(graph, kernel.loops[loop].continues, ends);
  addConditions(graph, kernel.loops[loop].enters, ends);
  // 'if (i < 32) table[i] = in[i]' says nothing about a loop.
  auto isInEach = [&](const Access &access) {
    std::vector<ValueId> conditions;
    addConditions(graph, access.guard, conditions);
    return llvm::all_of(conditions, [&](ValueId condition) {
      return !(loops[condition] & bit) || llvm::is_contained(ends, condition);
    });
  };
  std::optional<double> least;
  for (const Access &access : kernel.accesses) {
    if (!llvm::is_contained(access.loops, loop) ||
        !(loops[access.address] & bit))
      continue;
    const auto object = onlyObject(kernel, access.address);
    if (!object || !kernel.objects[*object].bytes)
      continue;
    const Object &array = kernel.objects[*object];
    const bool isArray = array.space == Space::Local ||
                         array.space == Space::Shared ||
                         array.space == Space::Constant;
    if (!isArray || !isInEach(access) ||
        !movesEvenly(graph, access.address, loops, loop))
      continue;
    if (const auto step = stepIn(loop, access.address, evaluation, shape);
        step.value_or(0) > 0)
      least = std::min(least.value_or(HUGE_VAL),
                       std::ceil(double(array.bytes) / *step));
  }
  return least;
}

std::optional<double> iterationsThroughRows(Evaluation &evaluation, Shape shape,
                                            LoopId loop) {
  constexpr double fewest = 4;
  const Kernel &kernel = evaluation.kernel;
  const std::vector<uint64_t> &loops = kernel.graph.loopsOf();
  std::optional<double> least;
  for (const Access &access : kernel.accesses) {
    if (access.loops.empty() || access.loops.back() != loop ||
        !(loops[access.address] & ExpressionGraph::loopBit(loop)) ||
        !mayBeGlobal(access.space) ||
        !movesEvenly(kernel.graph, access.address, loops, loop))
      continue;
    const auto step = stepIn(loop, access.address, evaluation, shape);
    const auto row = step.value_or(0) > 0
                         ? betweenLanes(evaluation, shape, access.address)
                         : std::nullopt;
    if (row && *row >= fewest * *step)
      least = std::min(least.value_or(HUGE_VAL), std::floor(*row / *step));
  }
  return least;
}

} // namespace warplint
