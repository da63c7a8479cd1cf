#include "ir/vector_guards.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>

namespace warplint {

namespace {

using Walk = ExpressionGraph::Walk;

/// Whether the last bits of a value are zero.
struct Alignment {
  ValueId comparison = 0;
  uint64_t multiple = 0; ///< of which the value is one: 16
  bool isAddress = false;
  bool isEqual = false; ///< the comparison holds for an aligned value
};

} // namespace

static std::optional<uint64_t> constantOf(const ExpressionGraph &graph,
                                          ValueId value) {
  const Node &node = graph.node(value);
  return node.op == Op::Constant ? std::optional(node.number) : std::nullopt;
}

/// Returns the power of two that a value is a remainder of.
static std::optional<uint64_t> remainderOf(const ExpressionGraph &graph,
                                           ValueId value) {
  const Node &node = graph.node(value);
  if (node.op == Op::Resize)
    return remainderOf(graph, graph.operand(value, 0));
  std::optional<uint64_t> multiple;
  if (node.op == Op::And && node.bits > 1) {
    for (ValueId part : graph.operands(value))
      if (const auto mask = constantOf(graph, part))
        multiple = *mask + 1;
  } else if (node.op == Op::RemainderSigned ||
             node.op == Op::RemainderUnsigned) {
    multiple = constantOf(graph, graph.operand(value, 1));
  }
  const bool isOfVector = multiple && *multiple > 1 && *multiple <= 256 &&
                          llvm::isPowerOf2_64(*multiple);
  return isOfVector ? multiple : std::nullopt;
}

static std::optional<Alignment> alignmentIn(const ExpressionGraph &graph,
                                            ValueId comparison) {
  const Node &node = graph.node(comparison);
  if ((node.op != Op::Equal && node.op != Op::NotEqual) ||
      constantOf(graph, graph.operand(comparison, 1)) != 0)
    return std::nullopt;
  const auto multiple = remainderOf(graph, graph.operand(comparison, 0));
  if (!multiple)
    return std::nullopt;
  bool isAddress = false, isOfThread = false, isOfArgument = false;
  graph.walk(graph.operand(comparison, 0), [&](ValueId id) {
    const Node &part = graph.node(id);
    isAddress |= part.op == Op::Base || part.pointer;
    isOfArgument |= part.op == Op::Parameter;
    switch (part.op) {
    case Op::ThreadIndex:
    case Op::BlockIndex:
    case Op::Lane:
    case Op::Varying:
    case Op::Opaque:
    case Op::Carried:
    case Op::Final:
      isOfThread = true;
      return Walk::Into;
    case Op::Loaded: // a size in memory; what it is loaded from decides nothing
      isOfArgument = true;
      return Walk::Past;
    default:
      return Walk::Into;
    }
  });
  if (!isAddress && (isOfThread || !isOfArgument))
    return std::nullopt;
  return Alignment{comparison, *multiple, isAddress, node.op == Op::Equal};
}

namespace {

/// The conditions in which a comparison has a certain result.
class Under {
public:
  Under(const Kernel &kernel, ValueId comparison, bool result, bool isNeeded)
      : kernel_(kernel), comparison_(comparison), result_(result),
        isNeeded_(isNeeded) {}

  /// Returns true if an access is executed because of that result; of all ways
  /// to it, or of one if it is not `isNeeded`.
  bool is(const Access &access) {
    return leads(access.guard, true) ||
           llvm::any_of(access.loops, [&](LoopId loop) {
             return leads(kernel_.loops[loop].enters, true);
           });
  }

private:
  bool leads(ValueId condition, bool holds) {
    const auto [known, isNew] = known_.try_emplace({condition, holds}, false);
    if (!isNew)
      return known->second;
    const bool result = compute(condition, holds);
    return known_[{condition, holds}] = result;
  }

  bool compute(ValueId condition, bool holds) {
    const ExpressionGraph &graph = kernel_.graph;
    const Node &node = graph.node(condition);
    if (condition == comparison_)
      return holds == result_;
    if (node.bits != 1)
      return false;
    if (node.op == Op::Xor && graph.isConstant(graph.operand(condition, 1), 1))
      return leads(graph.operand(condition, 0), !holds);
    if (node.op != Op::And && node.op != Op::Or)
      return false;
    const bool areAllNeeded = (node.op == Op::And) == holds;
    return (areAllNeeded || !isNeeded_) &&
           llvm::any_of(graph.operands(condition),
                        [&](ValueId part) { return leads(part, holds); });
  }

  const Kernel &kernel_;
  const ValueId comparison_;
  const bool result_, isNeeded_;
  std::map<std::pair<ValueId, bool>, bool> known_;
};

} // namespace

/// The objects and loaded pointers that an address is made from.
static llvm::DenseSet<ValueId> memoryOf(const ExpressionGraph &graph,
                                        ValueId address) {
  llvm::DenseSet<ValueId> found;
  graph.walk(address, [&](ValueId id) {
    const Node &node = graph.node(id);
    if (node.op == Op::Base || (node.op == Op::Loaded && node.pointer))
      found.insert(id);
    return node.op == Op::Loaded ? Walk::Past : Walk::Into;
  });
  return found;
}

/// Returns true if what is aligned is moved as vectors, and what is not in
/// smaller parts.
static bool choosesVectors(const Kernel &kernel, const Alignment &alignment) {
  const bool aligned = alignment.isEqual;
  Under vectors(kernel, alignment.comparison, aligned, /*isNeeded=*/true),
      elements(kernel, alignment.comparison, !aligned, /*isNeeded=*/false);
  std::vector<const Access *> wide, narrow;
  for (const Access &access : kernel.accesses)
    if (access.operation != Operation::Atomic && access.bytes) {
      const bool fits = alignment.isAddress
                            ? access.bytes <= alignment.multiple
                            : access.bytes % alignment.multiple == 0;
      if (fits && vectors.is(access))
        wide.push_back(&access);
      else if (elements.is(access))
        narrow.push_back(&access);
    }
  return llvm::any_of(wide, [&](const Access *vector) {
    const auto memory = memoryOf(kernel.graph, vector->address);
    return llvm::any_of(narrow, [&](const Access *element) {
      return element->operation == vector->operation &&
             element->bytes < vector->bytes &&
             llvm::any_of(memoryOf(kernel.graph, element->address),
                          [&](ValueId id) { return memory.contains(id); });
    });
  });
}

void markVectorGuards(Kernel &kernel) {
  for (ValueId id = 0; id < kernel.graph.size(); ++id)
    if (const auto alignment = alignmentIn(kernel.graph, id);
        alignment && choosesVectors(kernel, *alignment))
      kernel.graph.makeUsual(id);
}

} // namespace warplint
