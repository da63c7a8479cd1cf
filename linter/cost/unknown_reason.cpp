#include "cost/unknown_reason.h"
#include "cost/warp.h"
#include "model/float_operation.h"

namespace warplint {

std::string unknownReason(const Kernel &kernel, ValueId why) {
  if (why == tooLong)
    return "an expression that is too long to follow";
  const ExpressionGraph &graph = kernel.graph;
  const Node &node = graph.node(why);
  switch (node.op) {
  case Op::Loaded: {
    const std::string &text = graph.text(why);
    return text.empty() ? "a value loaded from memory"
                        : "'" + text + "', loaded from memory";
  }
  case Op::Varying:
    return graph.text(why).empty() ? "a value that is not followed"
                                   : graph.text(why);
  case Op::Forwarded:
    return "what its own array holds";
  case Op::Join:
  case Op::Select:
    return "which way a branch goes";
  case Op::Final:
  case Op::Ever:
    return "how often a loop runs";
  case Op::Opaque:
    return graph.text(why).empty() || isFloatInstruction(graph.text(why))
               ? "a computed value that is not followed"
               : "the result of '" + graph.text(why) + "'";
  case Op::DivideSigned:
  case Op::DivideUnsigned:
  case Op::RemainderSigned:
  case Op::RemainderUnsigned:
    return "a division whose divisor may be zero";
  default:
    return "an expression that is not followed";
  }
}

} // namespace warplint
