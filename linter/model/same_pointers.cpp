#include "model/same_pointers.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

namespace {

bool isMark(const std::optional<uint64_t> &argument) {
  return argument && *argument >> 63 && (*argument & ~samePointer(0)) < 4096;
}

} // namespace

std::optional<uint64_t> positionOf(const Kernel &kernel, ObjectId argument) {
  // The graph has a node for each pointer argument, with its name and position.
  const ExpressionGraph &graph = kernel.graph;
  for (ValueId id = 0; id < graph.size(); ++id) {
    const Node &node = graph.node(id);
    if (node.op == Op::Parameter && node.pointer && node.count &&
        graph.text(id) == kernel.objects[argument].name)
      return graph.node(graph.operand(id, 0)).number;
  }
  return std::nullopt;
}

void spreadSamePointers(const Launch &launch,
                        std::vector<KernelShape> &shapes) {
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    if (!isMark(launch.arguments[i]))
      continue;
    for (KernelShape &shape : shapes) {
      if (shape.launches.empty())
        shape.launches.emplace_back();
      for (Launched &other : shape.launches) {
        if (other.arguments.size() <= i)
          other.arguments.resize(i + 1);
        // Two groups with an argument in common become one.
        if (isMark(other.arguments[i]))
          std::replace(other.arguments.begin(), other.arguments.end(),
                       std::optional(other.arguments[i]), launch.arguments[i]);
        else if (!other.arguments[i])
          other.arguments[i] = launch.arguments[i];
      }
    }
  }
}

/// Few launches pass a pointer twice; positions cost a walk of the graph.
static bool hasMarks(const Kernel &kernel) {
  return llvm::any_of(kernel.shapes, [](const KernelShape &shape) {
    return llvm::any_of(shape.launches, [](const Launched &launch) {
      return llvm::any_of(launch.arguments, isMark);
    });
  });
}

bool arePassedAsOne(const Kernel &kernel, ObjectId a, ObjectId b) {
  if (!hasMarks(kernel))
    return false;
  const auto first = positionOf(kernel, a), second = positionOf(kernel, b);
  if (!first || !second || *first == *second)
    return false;
  return llvm::any_of(kernel.shapes, [&](const KernelShape &shape) {
    return llvm::any_of(shape.launches, [&](const Launched &launch) {
      const size_t known = launch.arguments.size();
      return *first < known && *second < known &&
             isMark(launch.arguments[*first]) &&
             launch.arguments[*first] == launch.arguments[*second];
    });
  });
}

} // namespace warplint
