#include "ir/vector_guards.h"
#include "llvm/ADT/DenseMap.h"
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

namespace {

/// The accesses that each comparison is a condition of, and what they move.
class Guarded {
public:
  explicit Guarded(const Kernel &kernel) : kernel_(kernel) {
    for (const Access &access : kernel.accesses) {
      if (access.operation == Operation::Atomic || !access.bytes)
        continue;
      llvm::DenseSet<ValueId> conditions;
      addConditions(access.guard, conditions);
      for (LoopId loop : access.loops)
        addConditions(kernel.loops[loop].enters, conditions);
      for (ValueId condition : conditions)
        accesses_[condition].push_back(&access);
    }
  }

  llvm::ArrayRef<const Access *> under(ValueId comparison) const {
    const auto found = accesses_.find(comparison);
    return found == accesses_.end() ? llvm::ArrayRef<const Access *>()
                                    : llvm::ArrayRef(found->second);
  }
  const llvm::DenseSet<ValueId> &memory(const Access &access) {
    const auto [found, isNew] = memory_.try_emplace(&access);
    if (isNew)
      found->second = memoryOf(kernel_.graph, access.address);
    return found->second;
  }

private:
  /// Adds the comparisons that a condition is made of.
  void addConditions(ValueId condition, llvm::DenseSet<ValueId> &to) const {
    kernel_.graph.walk(condition, [&](ValueId id) {
      const Op op = kernel_.graph.node(id).op;
      if (op == Op::Equal || op == Op::NotEqual)
        to.insert(id);
      return op == Op::And || op == Op::Or || op == Op::Xor ? Walk::Into
                                                            : Walk::Past;
    });
  }

  const Kernel &kernel_;
  llvm::DenseMap<ValueId, std::vector<const Access *>> accesses_;
  std::map<const Access *, llvm::DenseSet<ValueId>> memory_;
};

/// Returns true if an aligned address, or a size that is such a multiple of
/// elements, lets the vector move what else single elements do.
bool fits(const Alignment &alignment, const Access &vector,
          const Access &element) {
  return alignment.isAddress
             ? vector.bytes <= alignment.multiple
             : alignment.multiple * element.bytes % vector.bytes == 0;
}

} // namespace

/// Returns true if what is aligned is moved as vectors, and what is not in
/// smaller parts.
static bool choosesVectors(const Kernel &kernel, const Alignment &alignment,
                           Guarded &guarded) {
  const bool aligned = alignment.isEqual;
  Under vectors(kernel, alignment.comparison, aligned, /*isNeeded=*/true),
      elements(kernel, alignment.comparison, !aligned, /*isNeeded=*/false);
  std::vector<const Access *> wide, narrow;
  for (const Access *access : guarded.under(alignment.comparison)) {
    if (vectors.is(*access))
      wide.push_back(access);
    if (elements.is(*access))
      narrow.push_back(access);
  }
  return llvm::any_of(wide, [&](const Access *vector) {
    return llvm::any_of(narrow, [&](const Access *element) {
      return element->operation == vector->operation &&
             element->bytes < vector->bytes &&
             fits(alignment, *vector, *element) &&
             llvm::any_of(guarded.memory(*element), [&](ValueId id) {
               return guarded.memory(*vector).contains(id);
             });
    });
  });
}

void markVectorGuards(Kernel &kernel) {
  std::vector<Alignment> alignments;
  for (ValueId id = 0; id < kernel.graph.size(); ++id)
    if (const auto alignment = alignmentIn(kernel.graph, id))
      alignments.push_back(*alignment);
  if (alignments.empty())
    return;
  Guarded guarded(kernel);
  llvm::erase_if(alignments, [&](const Alignment &alignment) {
    return !choosesVectors(kernel, alignment, guarded);
  });
  for (const Alignment &alignment : alignments)
    kernel.graph.makeUsual(alignment.comparison);
}

} // namespace warplint
