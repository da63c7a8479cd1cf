#include "cost/probe_values.h"
#include "cost/mix.h"
#include "cost/terms.h"
#include <algorithm>

namespace warplint {

uint64_t probeValue(uint64_t hash, unsigned bits, unsigned trial,
                    unsigned most) {
  const unsigned less = usualSizeBits - most;
  uint64_t spread = mix(hash + 7919 * trial);
  if (trial == unitSizes)
    return 1;
  if (bits < 16)
    return trial == 0 ? 32 : trial == smallSizes ? 2 : 33 + spread % 8;
  switch (trial) {
  case 0:
    return (4096 >> less) * (5 + 2 * (spread % 4));
  case 1:
    return 32 * ((641 + 2 * (spread % 400)) >> less | 1);
  case oddSizes:
    return (20001 + 2 * (spread % 4000)) >> less | 1;
  default:
    return 2 + spread % 2;
  }
}

namespace {

bool isQuotient(Op op) {
  return op == Op::DivideSigned || op == Op::DivideUnsigned;
}

bool areKnownAndUniform(const LaneValues &a, const LaneValues &b) {
  return !a.unknown && !b.unknown && a.isUniform() && b.isUniform();
}

/// Returns true for an index, which is no size: `first / length` is the row of
/// a warp, and the same as `last / length` mostly.
bool isOfBlock(const ExpressionGraph &graph, ValueId value) {
  using Walk = ExpressionGraph::Walk;
  return !graph.walk(value, [&](ValueId id) {
    return graph.node(id).op == Op::BlockIndex ? Walk::Stop : Walk::Into;
  });
}

bool isQuotientOfSizes(const ExpressionGraph &graph, ValueId id,
                       const LaneValues &a, const LaneValues &b) {
  constexpr uint64_t large = 1024, few = 32;
  if (!a.assumed || !b.assumed || !areKnownAndUniform(a, b))
    return false;
  const ValueId operand = graph.operand(id, 0);
  const unsigned bits = std::max(1u, unsigned(graph.node(operand).bits));
  const uint64_t size = cut(a.value[0], bits), by = cut(b.value[0], bits);
  return size >= large && by >= large && size / by < few &&
         !isOfBlock(graph, operand);
}

bool isDifferenceOfSizes(const ExpressionGraph &graph, ValueId id,
                         const LaneValues &a, const LaneValues &b) {
  auto isSize = [&](ValueId operand, const LaneValues &value) {
    const Op op = graph.node(withoutResizing(graph, operand)).op;
    return (op == Op::Loaded || op == Op::Parameter) && value.assumed &&
           !value.unknown && value.isUniform();
  };
  return graph.node(id).bits >= 32 && a.value[0] != b.value[0] &&
         isSize(graph.operand(id, 0), a) && isSize(graph.operand(id, 1), b);
}

} // namespace

bool isSizeOfSizes(const ExpressionGraph &graph, ValueId id,
                   const LaneValues &a, const LaneValues &b) {
  const Op op = graph.node(id).op;
  return isQuotient(op)       ? isQuotientOfSizes(graph, id, a, b)
         : op == Op::Subtract ? isDifferenceOfSizes(graph, id, a, b)
                              : false;
}

bool isBlockInGroups(Op op, const LaneValues &a, const LaneValues &b,
                     unsigned bits) {
  constexpr uint64_t largestBlock = 1024; // threads
  if (!isQuotient(op) || a.assumed || !b.assumed || !areKnownAndUniform(a, b))
    return false;
  const uint64_t block = cut(a.value[0], bits), group = cut(b.value[0], bits);
  return block >= warpSize && block <= largestBlock && block < group;
}

} // namespace warplint
