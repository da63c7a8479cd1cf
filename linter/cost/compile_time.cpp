#include "cost/compile_time.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace warplint {

namespace {

using Cause = NotKnown::Cause;

/// What keeps a loop from being resolved, or nothing.
std::optional<NotKnown> loopCause(const Kernel &kernel, LoopId id) {
  const Loop &loop = kernel.loops[id];
  if (!loop.tripCount)
    return NotKnown{Cause::LoopBound, loop.boundText, id};
  if (loop.unroll == Unroll::Disabled || loop.unroll == Unroll::Count)
    if (loop.unroll == Unroll::Disabled || loop.unrollCount < *loop.tripCount)
      return NotKnown{Cause::LoopKept, "", id};
  if (loop.unroll != Unroll::Full && loop.unroll != Unroll::Count &&
      *loop.tripCount >= fullyUnrolledBelow)
    return NotKnown{Cause::LoopLong, "", id};
  return std::nullopt;
}

/// What a single node adds, beside its operands.
std::optional<NotKnown> nodeCause(const Kernel &kernel, ValueId id) {
  const ExpressionGraph &graph = kernel.graph;
  const Node &node = graph.node(id);
  switch (node.op) {
  case Op::ThreadIndex:
  case Op::BlockIndex:
  case Op::BlockSize:
  case Op::GridSize:
  case Op::Lane: {
    static const char *names[] = {"threadIdx", "blockIdx", "blockDim",
                                  "gridDim"};
    std::string name =
        node.op == Op::Lane
            ? "the lane"
            : std::string(
                  names[unsigned(node.op) - unsigned(Op::ThreadIndex)]) +
                  "." + char('x' + node.number);
    return NotKnown{Cause::Thread, name, std::nullopt};
  }
  case Op::Parameter:
    return NotKnown{Cause::Argument, graph.text(id), std::nullopt};
  case Op::Loaded:
    return NotKnown{Cause::Memory, graph.text(id), std::nullopt};
  case Op::Uniform:
  case Op::Varying:
  case Op::Opaque:
    return NotKnown{Cause::Other, graph.text(id), std::nullopt};
  case Op::Carried:
  case Op::Final:
  case Op::Ever:
    return loopCause(kernel, node.number);
  default:
    return std::nullopt;
  }
}

/// A structure passed by value is an argument, though it is read as memory.
bool isArgumentMemory(const Kernel &kernel, ValueId loaded) {
  const ExpressionGraph &graph = kernel.graph;
  llvm::SmallVector<ValueId, 8> work{graph.operand(loaded, 0)};
  llvm::DenseSet<ValueId> seen;
  while (!work.empty()) {
    ValueId id = work.pop_back_val();
    if (!seen.insert(id).second)
      continue;
    const Node &node = graph.node(id);
    if (node.op == Op::Base)
      return kernel.objects[node.number].space == Space::Parameter;
    if (node.op == Op::Add || node.op == Op::Resize)
      work.append(graph.operands(id).begin(), graph.operands(id).end());
  }
  return false;
}

} // namespace

std::optional<NotKnown> whyNotKnown(const Kernel &kernel, ValueId value) {
  const ExpressionGraph &graph = kernel.graph;
  llvm::SmallVector<ValueId, 32> work{value};
  llvm::DenseSet<ValueId> seen;
  // What lies in memory says more than the loop that reads it.
  std::optional<NotKnown> found;
  while (!work.empty()) {
    ValueId id = work.pop_back_val();
    if (!seen.insert(id).second)
      continue;
    const Node &node = graph.node(id);
    if (auto cause = nodeCause(kernel, id)) {
      if (cause->cause == Cause::Memory && isArgumentMemory(kernel, id))
        cause->cause = Cause::Argument;
      if (!found || cause->cause < found->cause)
        found = cause;
      if (node.op == Op::Loaded || node.op == Op::Opaque)
        continue;
    }
    llvm::ArrayRef<ValueId> operands = graph.operands(id);
    for (size_t i = 0; i < operands.size(); ++i) {
      bool size = node.op == Op::Forwarded && i > 0 && (i - 1) % 3 == 2;
      if (!size)
        work.push_back(operands[i]);
    }
  }
  return found;
}

std::string words(const Kernel &kernel, const NotKnown &cause) {
  auto quoted = [](const std::string &what, const char *otherwise) {
    return what.empty() ? std::string(otherwise) : "'" + what + "'";
  };
  auto line = [&] {
    unsigned number = kernel.loops[*cause.loop].place.line;
    return number ? " at line " + std::to_string(number) : std::string();
  };
  auto captured = [&]() -> std::string {
    const auto &variable = kernel.loops[*cause.loop].boundCaptured;
    return variable ? " (a variable captured from line " +
                          std::to_string(variable->declared.line) +
                          ", where it is not 'const')"
                    : "";
  };
  switch (cause.cause) {
  case Cause::Memory:
    return "depends on " + quoted(cause.what, "a value") +
           ", loaded from memory";
  case Cause::Argument:
    return "depends on " + quoted(cause.what, "a value") +
           ", an argument of the kernel";
  case Cause::Thread:
    return "depends on '" + cause.what + "'";
  case Cause::LoopBound:
    // A known bound, but another way out of the loop or an unknown start.
    if (kernel.loops[*cause.loop].hasBound &&
        kernel.graph.node(kernel.loops[*cause.loop].bound).op == Op::Constant)
      return "is counted by the loop" + line() +
             ", whose number of iterations is not known at compile time";
    return "is counted by the loop" + line() + ", whose bound " +
           (cause.what.empty() ? "" : "'" + cause.what + "' ") +
           "is not known at compile time" + captured();
  case Cause::LoopKept:
    return "is counted by the loop" + line() +
           ", which a pragma keeps from being unrolled";
  case Cause::LoopLong:
    return "is counted by the loop" + line() + ", whose " +
           std::to_string(*kernel.loops[*cause.loop].tripCount) +
           " iterations are many to unroll";
  case Cause::Other:
    return cause.what.empty() ? "varies at run time"
                              : "depends on " + cause.what;
  }
  return "";
}

} // namespace warplint
