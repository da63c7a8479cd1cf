#include "cost/lane_floats.h"
#include "cost/mix.h"
#include "model/float_operation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace warplint {

std::optional<LaneValues> floatValues(const ExpressionGraph &graph, ValueId id,
                                      OperandValues get) {
  const auto operation = floatOperation(graph.text(id));
  if (!operation)
    return std::nullopt;
  llvm::SmallVector<const LaneValues *, 3> operands;
  LaneValues result;
  unsigned integerBits = graph.node(id).bits;
  for (ValueId operand : graph.operands(id)) {
    operands.push_back(&get(operand));
    if (operands.back()->unknown)
      return std::nullopt;
    result.assumed |= operands.back()->assumed;
    if (const unsigned bits = graph.node(operand).bits)
      integerBits = bits;
  }
  // The bits of a size are those of no usual float.
  const bool needsKnown = operation->kind == FloatOperation::Kind::Divide ||
                          operation->kind == FloatOperation::Kind::FromBits;
  if (operands.empty() || (needsKnown && operands.back()->assumed))
    return std::nullopt;
  llvm::SmallVector<uint64_t, 3> values(operands.size());
  auto inLane = [&](unsigned lane) {
    for (size_t i = 0; i < operands.size(); ++i)
      values[i] = operands[i]->value[lane];
    return operation->of(values, integerBits);
  };
  if (llvm::all_of(operands, [](const LaneValues *operand) {
        return operand->value.isOne();
      })) {
    const auto value = inLane(0);
    if (!value)
      return std::nullopt;
    result.value.fill(*value);
    return result;
  }
  LaneNumbers::Each &each = result.value.each();
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    const auto value = inLane(lane);
    if (!value)
      return std::nullopt;
    each[lane] = *value;
  }
  return result;
}

uint64_t sourceOfFloats(const ExpressionGraph &graph, ValueId id,
                        OperandValues get) {
  using Walk = ExpressionGraph::Walk;
  uint64_t source = 0;
  graph.walk(id, [&](ValueId part) {
    if (graph.node(part).op != Op::Loaded)
      return Walk::Into;
    const LaneValues &address = get(graph.operand(part, 0));
    if (!address.unknown)
      source = mix(source ^ address.value[0]);
    return Walk::Past;
  });
  return source;
}

} // namespace warplint
