#include "model/expression.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <deque>
#include <utility>

namespace warplint {

namespace {

uint64_t cut(uint64_t value, unsigned bits) {
  return bits == 0 || bits >= 64 ? value
                                 : value & ((uint64_t(1) << bits) - 1);
}

} // namespace

uint32_t ExpressionGraph::textIndex(llvm::StringRef text) {
  // Linear: a kernel has few texts, the names of its unknowns.
  for (uint32_t i = 0; i < texts_.size(); ++i)
    if (texts_[i] == text)
      return i;
  texts_.push_back(text.str());
  return texts_.size() - 1;
}

ValueId ExpressionGraph::add(Node node, llvm::ArrayRef<ValueId> operands) {
  uint64_t hash = llvm::hash_combine(
      unsigned(node.op), node.bits, node.pointer, node.number,
      llvm::hash_combine_range(operands.begin(), operands.end()));
  hash &= ~uint64_t(0) >> 2; // DenseMap reserves two keys
  std::vector<ValueId> &same = byHash_[hash];
  if (node.op != Op::Carried)
    for (ValueId id : same) {
      const Node &other = nodes_[id];
      if (other.op == node.op && other.bits == node.bits &&
          other.pointer == node.pointer && other.number == node.number &&
          this->operands(id) == operands)
        return id;
    }
  node.first = operands_.size();
  node.count = operands.size();
  operands_.insert(operands_.end(), operands.begin(), operands.end());
  nodes_.push_back(node);
  loopsOf_.clear();
  same.push_back(nodes_.size() - 1);
  return nodes_.size() - 1;
}

ValueId ExpressionGraph::constant(uint64_t value, unsigned bits) {
  Node node{Op::Constant, uint8_t(bits)};
  node.number = cut(value, bits);
  return add(node, {});
}

ValueId ExpressionGraph::special(Op op, unsigned dimension, unsigned bits) {
  Node node{op, uint8_t(bits)};
  node.number = dimension;
  return add(node, {});
}

ValueId ExpressionGraph::unknown(Op op, llvm::StringRef text, unsigned bits,
                                 bool pointer) {
  Node node{op, uint8_t(bits), pointer};
  node.number = textIndex(text);
  return add(node, {});
}

ValueId ExpressionGraph::parameter(unsigned position, llvm::StringRef text,
                                   unsigned bits) {
  Node node{Op::Parameter, uint8_t(bits)};
  node.number = textIndex(text);
  return add(node, {constant(position, 32)});
}

ValueId ExpressionGraph::base(ObjectId object) {
  Node node{Op::Base, 64, true};
  node.number = object;
  return add(node, {});
}

ValueId ExpressionGraph::loaded(ValueId address, llvm::StringRef text,
                                unsigned bits, bool pointer) {
  Node node{Op::Loaded, uint8_t(bits), pointer};
  node.number = textIndex(text);
  return add(node, {address});
}

ValueId ExpressionGraph::opaque(llvm::StringRef text, unsigned bits,
                                bool pointer,
                                llvm::ArrayRef<ValueId> operands) {
  Node node{Op::Opaque, uint8_t(bits), pointer};
  node.number = textIndex(text);
  return add(node, operands);
}

ValueId ExpressionGraph::carried(LoopId loop, unsigned bits, bool pointer) {
  Node node{Op::Carried, uint8_t(bits), pointer};
  node.number = loop;
  ValueId id = add(node, {});
  nodes_[id].first = operands_.size();
  nodes_[id].count = 2;
  operands_.insert(operands_.end(), 2, id);
  return id;
}

void ExpressionGraph::setCarried(ValueId id, ValueId first, ValueId next) {
  operands_[nodes_[id].first] = first;
  operands_[nodes_[id].first + 1] = next;
  loopsOf_.clear();
}

void ExpressionGraph::makeUsual(ValueId comparison) {
  Node &node = nodes_[comparison];
  assert((node.op == Op::Equal || node.op == Op::NotEqual) &&
         isConstant(operand(comparison, 1), 0));
  node.number = node.op == Op::Equal;
  node.op = Op::Usually;
  node.count = 1;
  loopsOf_.clear();
}

ValueId ExpressionGraph::make(Op op, unsigned bits,
                              llvm::ArrayRef<ValueId> operands, uint64_t number,
                              bool pointer) {
  // Fold only the forms that keep graphs small; evaluation does the rest.
  if (operands.size() == 2) {
    const Node &left = node(operands[0]), &right = node(operands[1]);
    bool constants = left.op == Op::Constant && right.op == Op::Constant;
    if (op == Op::Add && isConstant(operands[1], 0))
      return operands[0];
    if (op == Op::Add && isConstant(operands[0], 0))
      return operands[1];
    if (op == Op::Multiply && isConstant(operands[1], 1))
      return operands[0];
    if (constants && op == Op::Add)
      return constant(left.number + right.number, bits);
    if (constants && op == Op::Multiply)
      return constant(left.number * right.number, bits);
  }
  if (op == Op::Resize && node(operands[0]).bits == bits)
    return operands[0];
  if (op == Op::Resize && node(operands[0]).op == Op::Constant)
    return constant(node(operands[0]).number, bits);
  Node result{op, uint8_t(bits), pointer};
  result.number = number;
  return add(result, operands);
}

ValueId ExpressionGraph::both(ValueId a, ValueId b) {
  if (isConstant(a, 0) || isConstant(b, 1) || a == b)
    return a;
  if (isConstant(b, 0) || isConstant(a, 1))
    return b;
  return make(Op::And, 1, {a, b});
}

ValueId ExpressionGraph::either(ValueId a, ValueId b) {
  if (isConstant(a, 1) || isConstant(b, 0) || a == b)
    return a;
  if (isConstant(b, 1) || isConstant(a, 0))
    return b;
  return make(Op::Or, 1, {a, b});
}

ValueId ExpressionGraph::negated(ValueId a) {
  if (node(a).op == Op::Constant)
    return constant(!node(a).number, 1);
  return make(Op::Xor, 1, {a, always()});
}

namespace {

/// The nodes that one walk has visited. A kernel may have as many accesses as
/// nodes, and each access walks its guard: a set made for each walk would take
/// most of the time.
class Visited {
public:
  explicit Visited(size_t nodes) {
    if (level_ == marks_.size())
      marks_.emplace_back();
    Marks &marks = marks_[level_++];
    if (marks.lastWalk.size() < nodes)
      marks.lastWalk.resize(nodes);
    if (++marks.walk == 0) {
      std::fill(marks.lastWalk.begin(), marks.lastWalk.end(), 0);
      marks.walk = 1;
    }
  }
  ~Visited() { --level_; }
  Visited(const Visited &) = delete;

  bool insert(ValueId id) {
    Marks &marks = marks_[level_ - 1]; // inner walks have ended
    return std::exchange(marks.lastWalk[id], marks.walk) != marks.walk;
  }

private:
  struct Marks {
    std::vector<uint32_t> lastWalk; ///< by node: the number of a walk
    uint32_t walk = 0;
  };
  // Visits may walk as well: by how many walks are open.
  static thread_local std::deque<Marks> marks_;
  static thread_local size_t level_;
};

thread_local std::deque<Visited::Marks> Visited::marks_;
thread_local size_t Visited::level_ = 0;

} // namespace

template <typename Insert>
static bool walkFrom(const ExpressionGraph &graph, ValueId root, Insert insert,
                     llvm::function_ref<ExpressionGraph::Walk(ValueId)> visit) {
  using Walk = ExpressionGraph::Walk;
  llvm::SmallVector<ValueId, 32> work{root};
  while (!work.empty()) {
    const ValueId id = work.pop_back_val();
    if (!insert(id))
      continue;
    const Walk next = visit(id);
    if (next == Walk::Stop)
      return false;
    if (next == Walk::Into)
      llvm::append_range(work, graph.operands(id));
  }
  return true;
}

bool ExpressionGraph::walk(ValueId root,
                           llvm::function_ref<Walk(ValueId)> visit) const {
  Visited seen(nodes_.size());
  return walkFrom(
      *this, root, [&](ValueId id) { return seen.insert(id); }, visit);
}

bool ExpressionGraph::walk(ValueId root, llvm::DenseSet<ValueId> &seen,
                           llvm::function_ref<Walk(ValueId)> visit) const {
  return walkFrom(
      *this, root, [&](ValueId id) { return seen.insert(id).second; }, visit);
}

const std::vector<uint64_t> &ExpressionGraph::loopsOf() const {
  std::vector<uint64_t> &loops = loopsOf_;
  if (!loops.empty())
    return loops;
  loops.resize(nodes_.size());
  // Carried nodes make cycles: repeat until nothing changes. Two passes suffice
  // for most kernels, since operands mostly precede their users.
  for (bool changed = true; changed;) {
    changed = false;
    for (ValueId id = 0; id < nodes_.size(); ++id) {
      uint64_t all = 0;
      for (ValueId operand : operands(id))
        all |= loops[operand];
      const Node &node = nodes_[id];
      if (node.op == Op::Carried)
        all |= loopBit(node.number);
      if ((node.op == Op::Final || node.op == Op::Ever) && node.number < 63)
        all &= ~loopBit(node.number);
      if (all != loops[id]) {
        loops[id] = all;
        changed = true;
      }
    }
  }
  return loops;
}

} // namespace warplint
