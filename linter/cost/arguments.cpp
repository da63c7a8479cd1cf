#include "cost/arguments.h"
#include "cost/address_roots.h"
#include "cost/reached.h"
#include "model/may_be_global.h"

namespace warplint {

namespace {

/// Returns true for a pointer in a structure that is an argument.
bool isMemberOfArgument(const Kernel &kernel, ValueId pointer) {
  const ExpressionGraph &graph = kernel.graph;
  if (graph.node(pointer).op != Op::Loaded || !graph.node(pointer).pointer)
    return false;
  using Walk = ExpressionGraph::Walk;
  bool isInParameter = false;
  return graph.walk(graph.operand(pointer, 0), [&](ValueId id) {
    const Node &node = graph.node(id);
    isInParameter |= node.op == Op::Base &&
                     kernel.objects[node.number].space == Space::Parameter;
    return node.op == Op::Base || node.op == Op::Constant ? Walk::Past
           : node.op == Op::Add                           ? Walk::Into
                                                          : Walk::Stop;
  }) && isInParameter;
}

} // namespace

std::optional<ObjectId> argumentOf(const Kernel &kernel, const Access &access) {
  if (!mayBeGlobal(access.space))
    return std::nullopt;
  const std::optional<ObjectId> object = onlyObject(kernel, access.address);
  // A variable of the source has a size.
  if (!object || kernel.objects[*object].space != Space::Global ||
      kernel.objects[*object].bytes)
    return std::nullopt;
  return object;
}

std::optional<ValueId> passedPointerOf(const Kernel &kernel,
                                       const Access &access) {
  if (!mayBeGlobal(access.space))
    return std::nullopt;
  const bool isArgument = argumentOf(kernel, access).has_value();
  std::optional<ValueId> found;
  for (ValueId root : addressRoots(kernel.graph, access.address)) {
    const Node &node = kernel.graph.node(root);
    if (!node.pointer && node.op != Op::Base)
      continue; // an index
    if ((!isArgument && !isMemberOfArgument(kernel, root)) ||
        (found && *found != root))
      return std::nullopt;
    found = root;
  }
  return found;
}

} // namespace warplint
