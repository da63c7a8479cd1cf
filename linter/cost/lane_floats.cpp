#include "cost/lane_floats.h"
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
  if (operands.empty() || (operation->kind == FloatOperation::Kind::Divide &&
                           operands.back()->assumed))
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

} // namespace warplint
