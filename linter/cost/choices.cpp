#include "cost/choices.h"
#include "cost/terms.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

Choices choicesOf(const ExpressionGraph &graph) {
  constexpr size_t few = 8;
  Choices choices;
  for (ValueId id = 0; id < graph.size(); ++id) {
    const Op op = graph.node(id).op;
    if (op != Op::Equal && op != Op::NotEqual)
      continue;
    for (unsigned side = 0; side < 2; ++side) {
      const Node &constant = graph.node(graph.operand(id, !side));
      const ValueId value = withoutResizing(graph, graph.operand(id, side));
      const Node &node = graph.node(value);
      const bool isOption = node.op == Op::Parameter ||
                            node.op == Op::Uniform || node.op == Op::Loaded;
      if (constant.op != Op::Constant || !isOption || node.pointer ||
          node.bits <= 1)
        continue;
      std::vector<uint64_t> &all = choices[value];
      if (all.size() < few && !llvm::is_contained(all, constant.number))
        all.push_back(constant.number);
    }
  }
  return choices;
}

unsigned mostChoices(const Choices &choices) {
  size_t most = 0;
  for (const auto &[value, constants] : choices)
    most = std::max(most, constants.size());
  return most;
}

} // namespace warplint
