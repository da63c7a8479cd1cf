#include "cost/mixed_bits.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

namespace warplint {

namespace {

using Walk = ExpressionGraph::Walk;

/// Steps of a hash: a swizzle has one or two, and those of a quotient, which the
/// compiler multiplies with the reciprocal for, come without exclusive ors.
constexpr unsigned fewestSteps = 3, fewestXors = 2;

bool isOfThread(const ExpressionGraph &graph, ValueId id) {
  return !graph.walk(id, [&](ValueId part) {
    const Op op = graph.node(part).op;
    return op == Op::ThreadIndex || op == Op::Lane ? Walk::Stop
           : op == Op::Loaded                      ? Walk::Past
                                                   : Walk::Into;
  });
}

bool contains(const ExpressionGraph &graph, ValueId id, ValueId part) {
  return !graph.walk(
      id, [&](ValueId at) { return at == part ? Walk::Stop : Walk::Into; });
}

/// The factor of a hash or a linear congruence: large and odd, as no size of an
/// element or a row is.
bool isMixingFactor(const Node &node) {
  constexpr uint64_t least = 1 << 16;
  return node.op == Op::Constant && node.number % 2 && node.number > least;
}

/// The operand that a product with such a factor mixes.
std::optional<ValueId> mixedByProduct(const ExpressionGraph &graph,
                                      ValueId id) {
  if (!llvm::is_contained({Op::Multiply, Op::MultiplyHighUnsigned},
                          graph.node(id).op))
    return std::nullopt;
  for (unsigned i : {0u, 1u})
    if (isMixingFactor(graph.node(graph.operand(id, i))))
      return graph.operand(id, 1 - i);
  return std::nullopt;
}

/// Returns true if each iteration of a loop multiplies what the one before has
/// made of it, modulo its width.
bool isCongruence(const ExpressionGraph &graph, ValueId id, ValueId mixed) {
  const Op op = graph.node(mixed).op;
  if (graph.node(id).op != Op::Multiply || op == Op::Resize ||
      op == Op::SignExtend)
    return false;
  return !graph.walk(mixed, [&](ValueId part) {
    return graph.node(part).op == Op::Carried &&
                   contains(graph, graph.operand(part, 1), id)
               ? Walk::Stop
               : Walk::Into;
  });
}

/// Returns true for a remainder or the low bits of a number, of few values.
bool hasFewValues(const ExpressionGraph &graph, ValueId id) {
  constexpr uint64_t few = 64;
  const Op op = graph.node(id).op;
  if (op != Op::And && op != Op::RemainderUnsigned && op != Op::RemainderSigned)
    return false;
  return llvm::any_of(graph.operands(id), [&](ValueId operand) {
    const Node &node = graph.node(operand);
    return node.op == Op::Constant && node.number <= few;
  });
}

} // namespace

bool hasMixedBits(const ExpressionGraph &graph, ValueId address) {
  unsigned xors = 0, products = 0;
  bool isCongruent = false;
  return !graph.walk(address, [&](ValueId id) {
    const Node &node = graph.node(id);
    // What chooses a value does not move it.
    if (node.bits == 1 || node.op == Op::Loaded || hasFewValues(graph, id))
      return Walk::Past;
    if (node.op == Op::Xor) {
      xors += llvm::all_of(graph.operands(id), [&](ValueId operand) {
        return isOfThread(graph, operand);
      });
    } else if (const auto mixed = mixedByProduct(graph, id);
               mixed && isOfThread(graph, *mixed)) {
      ++products;
      isCongruent |= isCongruence(graph, id, *mixed);
    }
    return isCongruent ||
                   (xors >= fewestXors && xors + products >= fewestSteps)
               ? Walk::Stop
               : Walk::Into;
  });
}

} // namespace warplint
