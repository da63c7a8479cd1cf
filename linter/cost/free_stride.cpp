#include "cost/free_stride.h"
#include "cost/address_roots.h"
#include "cost/reached.h"
#include "cost/terms.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace warplint {

namespace {

/// The value behind constant factors: that of '32 * stride'.
ValueId withoutConstants(const ExpressionGraph &graph, ValueId value) {
  value = withoutResizing(graph, value);
  const Node &node = graph.node(value);
  if (node.op == Op::Multiply || node.op == Op::ShiftLeft)
    for (unsigned i : {0, 1})
      if (graph.node(graph.operand(value, 1 - i)).op == Op::Constant &&
          (i == 0 || node.op == Op::Multiply))
        return withoutConstants(graph, graph.operand(value, i));
  return value;
}

bool isUnknown(Op op) {
  return op == Op::Parameter || op == Op::Uniform || op == Op::Loaded;
}

bool isVarying(Op op) {
  return op == Op::ThreadIndex || op == Op::Lane || op == Op::BlockIndex ||
         op == Op::Carried || op == Op::Varying;
}

/// Whether the varying terms of a value, alone, are one without an unknown
/// factor, for those values that were asked about.
using IsIndex = llvm::DenseMap<ValueId, bool>;

/// Splits an address into a sum of products.
class StrideTerms {
public:
  StrideTerms(const ExpressionGraph &graph, IsIndex &isIndex)
      : graph_(graph), isIndex_(isIndex) {}

  void read(ValueId id, bool scaled, bool steps) {
    if (!seen_.insert({id, scaled * 2 + steps}).second)
      return;
    const Node &node = graph_.node(id);
    switch (node.op) {
    case Op::Add:
    case Op::Subtract:
    case Op::Resize:
    case Op::SignExtend:
    case Op::Final:
      for (ValueId operand : graph_.operands(id))
        read(operand, scaled, steps);
      return;
    case Op::Carried: // the increment is the stride
      if (carried_.insert({id, scaled}).second) {
        read(graph_.operand(id, 0), scaled, steps);
        read(graph_.operand(id, 1), scaled, true);
      }
      return;
    case Op::Join:
      for (unsigned i = 1; i < node.count; i += 2)
        read(graph_.operand(id, i), scaled, steps);
      return;
    case Op::Select:
      read(graph_.operand(id, 1), scaled, steps);
      read(graph_.operand(id, 2), scaled, steps);
      return;
    case Op::Multiply:
    case Op::ShiftLeft:
      readProduct(id, scaled, steps);
      return;
    default:
      readLeaf(id, scaled, steps);
    }
  }

  /// True if varying terms are multiplied by at least so many unknown values.
  bool hasFactors(unsigned count) const {
    return hasFactorOfLoop_ || factors_.size() >= count;
  }
  /// True if a varying term has no unknown factor.
  bool hasOwnStep() const { return ownStep_; }
  /// True if each term has an unknown factor, which is none of `lengths`.
  bool isAllScaled(const llvm::DenseSet<ValueId> &lengths) const {
    return !factors_.empty() && !ownStep_ && !hasOffset() &&
           !hasFactorOfLoop_ && llvm::none_of(factors_, [&](ValueId id) {
             return lengths.contains(id);
           });
  }
  const llvm::DenseSet<ValueId> &factors() const { return factors_; }
  /// True if what a factor multiplies has factors of its own, as the index of a
  /// row has in `(plane * rows + row) * columns`.
  bool isNested() const {
    return llvm::any_of(scaled_, [&](ValueId id) {
      StrideTerms alone(graph_, isIndex_);
      alone.read(id, false, false);
      return !alone.factors_.empty();
    });
  }
  /// Adds the factors if a place in a row of that length is added to them.
  void addLengths(llvm::DenseSet<ValueId> &to) const {
    if (ownStep_ || hasOffset())
      to.insert(factors_.begin(), factors_.end());
  }

private:
  /// Returns true if something is added that all threads share, and that is no
  /// multiple of a stride.
  bool hasOffset() const {
    return hasOffset_ || llvm::any_of(offsets_, [&](ValueId id) {
             return !factors_.contains(withoutConstants(graph_, id));
           });
  }

  void readProduct(ValueId id, bool scaled, bool steps) {
    for (unsigned i : {0, 1}) {
      ValueId factor = graph_.operand(id, i), rest = graph_.operand(id, 1 - i);
      bool shift = graph_.node(id).op == Op::ShiftLeft;
      if (shift && i == 0)
        continue;
      // 'offset += index % sizes[d] * strides[d]' has one for each iteration.
      if (steps && isOfLoop(factor) && varies(rest)) {
        hasFactorOfLoop_ = true;
        return read(rest, true, steps);
      }
      if (varies(factor))
        continue;
      if (!holdsUnknown(factor))
        return read(rest, scaled, steps);
      if (varies(rest) || steps) {
        factors_.insert(withoutConstants(graph_, factor));
        scaled_.insert(rest);
        // In '(block * part + thread) * stride', 'part' is a length.
        if (!isIndex(rest))
          read(rest, true, steps);
        return;
      }
    }
    readLeaf(id, scaled, steps);
  }

  void readLeaf(ValueId id, bool scaled, bool steps) {
    const Node &node = graph_.node(id);
    if (node.op == Op::Base || node.pointer)
      return;
    if (varies(id)) {
      ownStep_ |= !scaled;
    } else if (steps && holdsUnknown(id)) {
      factors_.insert(withoutConstants(graph_, id));
    } else if (!steps && !scaled && holdsUnknown(id)) {
      offsets_.insert(id);
    } else if (!(node.op == Op::Constant && node.number == 0)) {
      (steps ? ownStep_ : hasOffset_) |= !scaled;
    }
  }

  bool isIndex(ValueId id) {
    if (const auto known = isIndex_.find(id); known != isIndex_.end())
      return known->second;
    isIndex_[id] = false; // a loop's value, until it is known
    StrideTerms alone(graph_, isIndex_);
    alone.read(id, false, false);
    return isIndex_[id] = alone.hasOwnStep();
  }

  bool varies(ValueId id) { return holds(id, varies_, isVarying); }
  bool holdsUnknown(ValueId id) { return holds(id, unknown_, isUnknown); }
  /// Returns true for what all threads load in one iteration of a loop.
  bool isOfLoop(ValueId id) {
    return holds(id, loaded_, [](Op op) { return op == Op::Loaded; }) &&
           varies(id) && !holds(id, ofThread_, [](Op op) {
             return op != Op::Carried && isVarying(op);
           });
  }

  /// Returns true if `id` is computed from a node for which `is` is true.
  bool holds(ValueId id, llvm::DenseMap<ValueId, bool> &known,
             llvm::function_ref<bool(Op)> is) {
    using Walk = ExpressionGraph::Walk;
    if (auto entry = known.find(id); entry != known.end())
      return entry->second;
    const bool result = !graph_.walk(id, [&](ValueId part) {
      if (auto entry = known.find(part); entry != known.end())
        return entry->second ? Walk::Stop : Walk::Past;
      return is(graph_.node(part).op) ? Walk::Stop : Walk::Into;
    });
    return known[id] = result;
  }

  const ExpressionGraph &graph_;
  IsIndex &isIndex_;
  llvm::DenseSet<std::pair<ValueId, unsigned>> seen_;
  llvm::DenseSet<std::pair<ValueId, unsigned>> carried_;
  llvm::DenseMap<ValueId, bool> varies_, unknown_, loaded_, ofThread_;
  llvm::DenseSet<ValueId> factors_, scaled_; ///< scaled: what they multiply
  bool hasFactorOfLoop_ = false;
  bool ownStep_ = false;
  bool hasOffset_ = false;          ///< a constant is added
  llvm::DenseSet<ValueId> offsets_; ///< added, the same for all threads
};

} // namespace

bool hasFreeStrides(const Kernel &kernel, const Access &access) {
  IsIndex isIndex;
  StrideTerms terms(kernel.graph, isIndex);
  terms.read(access.address, false, false);
  return terms.hasFactors(access.ofVector ? 1 : 2) && !terms.hasOwnStep();
}

/// Returns the argument that a value is loaded from.
static std::optional<ObjectId> argumentOf(const Kernel &kernel, ValueId value) {
  const ExpressionGraph &graph = kernel.graph;
  if (graph.node(value).op != Op::Loaded)
    return std::nullopt;
  const auto object = onlyObject(kernel, graph.operand(value, 0));
  return object && kernel.objects[*object].space == Space::Parameter
             ? object
             : std::nullopt;
}

/// Returns true for an element of a vector, `view(i)` or `view[i]`:
/// 'rows[row * rows.pitch]' and 'rows(row, 0)' spell the column of a matrix.
static bool isElementOfView(const Access &access) {
  const llvm::StringRef text = access.text;
  if (access.ofOperator)
    return !text.contains('*');
  const auto [callee, arguments] = text.rsplit('(');
  if (!text.ends_with(")") ||
      callee.find_first_of("*+[") != llvm::StringRef::npos)
    return false;
  llvm::SmallVector<llvm::StringRef> indexes;
  arguments.drop_back().split(indexes, ',');
  return llvm::none_of(indexes, [](llvm::StringRef index) {
    return index.trim().rtrim("uUlL") == "0";
  });
}

bool SpareStrides::hasOfView(const Access &access) {
  if (!isElementOfView(access))
    return false;
  StrideTerms terms(kernel_.graph, isIndex_);
  terms.read(access.address, false, false);
  if (terms.factors().size() != 1 || terms.isNested())
    return false;
  const auto view = argumentOf(kernel_, *terms.factors().begin());
  return view && has(access) &&
         llvm::any_of(rootsInMemory(kernel_.graph, access.address),
                      [&](ValueId root) {
                        return kernel_.graph.node(root).pointer &&
                               argumentOf(kernel_, root) == view;
                      });
}

bool SpareStrides::has(const Access &access) {
  auto termsOf = [&](const Access &of) {
    StrideTerms terms(kernel_.graph, isIndex_);
    terms.read(of.address, false, false);
    return terms;
  };
  const StrideTerms terms = termsOf(access);
  if (!terms.isAllScaled(llvm::DenseSet<ValueId>()))
    return false;
  if (!lengths_) {
    lengths_.emplace();
    for (const Access &other : kernel_.accesses)
      termsOf(other).addLengths(*lengths_);
  }
  return terms.isAllScaled(*lengths_);
}

} // namespace warplint
