#include "cost/size_limits.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace warplint {

namespace {

/// The bits of the width of packed values, so that it is 32 at most.
constexpr unsigned widthBits = 5;

/// How large a value gets: `rest` times so many sizes.
struct Magnitude {
  double rest = 1;
  unsigned sizes = 0;
  bool byThread = false; ///< differs between the threads of a block

  double value() const {
    return rest * std::exp2(double(usualSizeBits) * sizes);
  }
};

bool isSize(const Node &node) {
  return (node.op == Op::Parameter || node.op == Op::Uniform ||
          node.op == Op::Loaded) &&
         node.bits >= 16 && !node.pointer;
}

class LimitReader {
public:
  explicit LimitReader(const ExpressionGraph &graph)
      : graph_(graph), magnitudes_(graph.size()) {}

  SizeLimits read() {
    for (ValueId id = 0; id < graph_.size(); ++id) {
      magnitudes_[id] = compute(id);
      const Node &node = graph_.node(id);
      const bool isProduct = node.op == Op::Multiply || node.op == Op::ShiftLeft;
      if (isProduct && node.bits == 32 && magnitudes_[id].byThread &&
          magnitudes_[id].value() > std::exp2(31))
        limitSizesOf(id);
    }
    limitWidths();
    return std::move(limits_);
  }

private:
  /// The usual values of indexes, of a block in the middle of the grid.
  static constexpr double threads = 512, blocks = 8, many = 32;

  /// Hashes overflow on purpose: they are made with large constants.
  static constexpr double ofHash = 1 << 16;

  Magnitude of(ValueId id, unsigned operand) const {
    return magnitudes_[graph_.operand(id, operand)];
  }

  Magnitude compute(ValueId id) const {
    const Node &node = graph_.node(id);
    if (isSize(node))
      return {1, 1, false};
    switch (node.op) {
    case Op::Constant: {
      const unsigned bits = std::clamp<unsigned>(node.bits, 1, 64);
      const double value =
          std::abs(double(llvm::SignExtend64(node.number, bits)));
      return {value < ofHash ? value : 0, 0, false};
    }
    case Op::ThreadIndex:
      return {threads, 0, true};
    case Op::Lane:
      return {many, 0, true};
    case Op::BlockIndex:
      return {blocks, 0, false};
    case Op::BlockSize:
      return {threads, 0, false};
    case Op::Add:
    case Op::Subtract:
      return sum(of(id, 0), of(id, 1));
    case Op::Multiply: {
      const Magnitude a = of(id, 0), b = of(id, 1);
      return {a.rest * b.rest, a.sizes + b.sizes, a.byThread || b.byThread};
    }
    case Op::ShiftLeft: {
      Magnitude shifted = of(id, 0);
      if (const Node &by = graph_.node(graph_.operand(id, 1));
          by.op == Op::Constant && by.number < 32)
        shifted.rest *= double(uint64_t(1) << by.number);
      return shifted;
    }
    case Op::SignExtend:
    case Op::Resize:
    case Op::Absolute:
    case Op::Final:
    case Op::Carried: // in its first iteration
      return graph_.operands(id).empty() ? Magnitude{many, 0, false}
                                         : of(id, 0);
    case Op::Select:
      return larger(of(id, 1), of(id, 2));
    default: {
      Magnitude other{many, 0, false};
      for (ValueId operand : graph_.operands(id))
        other.byThread |= magnitudes_[operand].byThread;
      return other;
    }
    }
  }

  static Magnitude larger(const Magnitude &a, const Magnitude &b) {
    return a.value() < b.value() ? b : a;
  }

  /// What all threads of a block add to an index is not multiplied: it may wrap
  /// around and leaves them as far apart as they are.
  static Magnitude sum(const Magnitude &a, const Magnitude &b) {
    if (a.byThread == b.byThread)
      return larger(a, b);
    Magnitude index = a.byThread ? a : b;
    const Magnitude &first = a.byThread ? b : a;
    if (!first.sizes)
      index.rest += first.rest;
    return index;
  }

  void limitSizesOf(ValueId product) {
    const Magnitude &all = magnitudes_[product];
    if (!all.sizes || all.rest < 1)
      return;
    const double bits = (31 - std::log2(all.rest)) / all.sizes;
    const unsigned limit = std::clamp<int>(int(std::floor(bits)),
                                           fewestSizeBits, usualSizeBits);
    using Walk = ExpressionGraph::Walk;
    graph_.walk(product, [&](ValueId id) {
      const Node &node = graph_.node(id);
      if (isSize(node)) {
        unsigned &known =
            limits_.try_emplace(sizeKey(graph_, id), usualSizeBits)
                .first->second;
        known = std::min(known, limit);
        return Walk::Past;
      }
      const bool goesOn = node.op == Op::Multiply || node.op == Op::ShiftLeft ||
                          node.op == Op::SignExtend || node.op == Op::Resize ||
                          id == product;
      return goesOn ? Walk::Into : Walk::Past;
    });
  }

  /// The size below casts and what constants are added to it; none if there is
  /// another operation.
  std::optional<ValueId> sizeIn(ValueId id) const {
    for (;;) {
      const Node &node = graph_.node(id);
      if (isSize(node))
        return sizeKey(graph_, id);
      const bool isSum = node.op == Op::Add || node.op == Op::Subtract;
      if (isSum && graph_.node(graph_.operand(id, 0)).op == Op::Constant)
        id = graph_.operand(id, 1);
      else if (node.op == Op::SignExtend || node.op == Op::Resize ||
               (isSum && graph_.node(graph_.operand(id, 1)).op == Op::Constant))
        id = graph_.operand(id, 0);
      else
        return std::nullopt;
    }
  }

  /// What is a factor, and shifts as well, is the width of packed values, as in
  /// `words[i * width / 32]` and `1 << width`: neighbours lie in one sector.
  void limitWidths() {
    llvm::DenseSet<ValueId> shifting;
    for (ValueId id = 0; id < graph_.size(); ++id) {
      const Op op = graph_.node(id).op;
      if (op == Op::ShiftLeft || op == Op::ShiftRightSigned ||
          op == Op::ShiftRightUnsigned)
        if (const auto size = sizeIn(graph_.operand(id, 1)))
          shifting.insert(*size);
    }
    for (ValueId id = 0; id < graph_.size() && !shifting.empty(); ++id)
      if (graph_.node(id).op == Op::Multiply)
        for (ValueId factor : graph_.operands(id))
          if (const auto size = sizeIn(factor);
              size && shifting.contains(*size))
            limits_[*size] = widthBits;
  }

  const ExpressionGraph &graph_;
  std::vector<Magnitude> magnitudes_; ///< by node
  SizeLimits limits_;
};

} // namespace

SizeLimits sizeLimits(const ExpressionGraph &graph) {
  return LimitReader(graph).read();
}

} // namespace warplint
