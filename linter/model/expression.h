// Addresses, conditions and loop counters as a graph of operations on thread
// indexes, arguments and memory.
//
// Nodes are named by their index, and immutable once the kernel is read.
// Control flow is part of the graph: a condition is a node of one bit, a value
// that depends on the path taken is a Join of (condition, value) pairs, a
// loop-carried value is a Carried node. So the graph alone determines what each
// lane of a warp computes in each iteration of each loop (cost/warp.h).
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace warplint {

constexpr unsigned warpSize = 32; ///< lanes

using ValueId = uint32_t;
using LoopId = uint32_t;
using ObjectId = uint32_t;

enum class Op : uint8_t {
  Constant, ///< number = the value
  // Thread and launch; number = 0, 1, 2 for x, y, z.
  ThreadIndex,
  BlockIndex,
  BlockSize,
  GridSize,
  Lane, ///< position in the warp
  // Known at run time only; number = index of a text.
  Parameter, ///< a kernel argument: the same for all threads; operand 0 = its
             ///< position, if it has one
  Uniform,   ///< unknown, but the same for all lanes of a warp
  Varying,   ///< unknown, and different from lane to lane
  // Memory.
  Base,      ///< first byte of an object; number = ObjectId
  Loaded,    ///< memory at operand 0; number = index of a text
  Forwarded, ///< a load (address = operand 0) of a thread's own object, with
             ///< (address, value, bytes) of each store that can reach it;
             ///< number = bytes
  Usually,   ///< operand 0, which is `number` in the common case; of one bit: a
             ///< comparison of operand 0 with 0, which is equal in that case
  // Control flow.
  Carried, ///< operand 0 in the first iteration of loop `number`, then operand
           ///< 1 of the previous iteration
  Final,   ///< operand 0 in the last iteration of loop `number`
  Ever,    ///< 1 if operand 0 held in any iteration of loop `number`
  Join,    ///< the value whose condition holds: condition, value, ...
  Select,  ///< operand 0 ? operand 1 : operand 2
  // Arithmetic modulo 2^bits.
  Add,
  Subtract,
  Multiply,
  MultiplyHighSigned,
  MultiplyHighUnsigned,
  DivideSigned,
  DivideUnsigned,
  RemainderSigned,
  RemainderUnsigned,
  ShiftLeft,
  ShiftRightSigned,
  ShiftRightUnsigned,
  And,
  Or,
  Xor,
  MinSigned,
  MaxSigned,
  MinUnsigned,
  MaxUnsigned,
  Absolute,
  CountOnes,
  LeadingZeros,
  ReverseBits,
  // Comparisons: one bit.
  Equal,
  NotEqual,
  LessSigned,
  LessEqualSigned,
  LessUnsigned,
  LessEqualUnsigned,
  // Casts.
  SignExtend, ///< number = bits of the operand
  Resize,     ///< zero extension or truncation
  // Across lanes.
  FromLane, ///< operand 0 in the lane that operand 1 names
  Ballot,   ///< a bit for each lane for which operand 0 holds
  // Not followed.
  Opaque, ///< a function of its operands: uniform if they all are; number =
          ///< index of a text, which may name an operation on floats
          ///< (float_operation.h)
};

inline bool isComparison(Op op) {
  return op >= Op::Equal && op <= Op::LessEqualUnsigned;
}

struct Node {
  Op op;
  uint8_t bits;                  ///< width of the result; 64 for addresses
  bool pointer = false;          ///< the result is an address
  uint32_t first = 0, count = 0; ///< slice of the operand list
  uint64_t number = 0;
};

/// The nodes of one kernel. Shares equal nodes, except Carried ones.
class ExpressionGraph {
public:
  ExpressionGraph() = default;
  ExpressionGraph(const ExpressionGraph &) = default;
  ExpressionGraph &operator=(const ExpressionGraph &) = default;
  // DenseMap does not say that it throws nothing, and a vector of kernels that
  // grows would copy them.
  ExpressionGraph(ExpressionGraph &&) noexcept = default;
  ExpressionGraph &operator=(ExpressionGraph &&) noexcept = default;

  const Node &node(ValueId id) const { return nodes_[id]; }
  size_t size() const { return nodes_.size(); }
  llvm::ArrayRef<ValueId> operands(ValueId id) const {
    return llvm::ArrayRef(operands_).slice(nodes_[id].first, nodes_[id].count);
  }
  ValueId operand(ValueId id, unsigned i) const { return operands(id)[i]; }
  const std::string &text(ValueId id) const {
    return texts_[nodes_[id].number];
  }

  ValueId constant(uint64_t value, unsigned bits);
  ValueId special(Op op, unsigned dimension, unsigned bits = 32);
  ValueId parameter(unsigned position, llvm::StringRef text, unsigned bits);
  /// Parameter, Uniform, Varying.
  ValueId unknown(Op op, llvm::StringRef text, unsigned bits, bool pointer);
  ValueId base(ObjectId object);
  ValueId loaded(ValueId address, llvm::StringRef text, unsigned bits,
                 bool pointer);
  /// Makes a node with operands; folds constants.
  ValueId make(Op op, unsigned bits, llvm::ArrayRef<ValueId> operands,
               uint64_t number = 0, bool pointer = false);
  ValueId opaque(llvm::StringRef text, unsigned bits, bool pointer,
                 llvm::ArrayRef<ValueId> operands);
  /// Makes a loop-carried value; `setCarried` sets its operands.
  ValueId carried(LoopId loop, unsigned bits, bool pointer);
  void setCarried(ValueId id, ValueId first, ValueId next);
  /// Makes a comparison with 0 one whose sides are equal in the common case.
  void makeUsual(ValueId comparison);

  // Conditions.
  ValueId always() { return constant(1, 1); }
  ValueId never() { return constant(0, 1); }
  ValueId both(ValueId a, ValueId b);
  ValueId either(ValueId a, ValueId b);
  ValueId negated(ValueId a);
  bool isConstant(ValueId id, uint64_t value) const {
    return nodes_[id].op == Op::Constant && nodes_[id].number == value;
  }

  /// The answer of a visit of `walk` about the operands of its node.
  enum class Walk {
    Into, ///< visit the operands too
    Past, ///< leave them out
    Stop  ///< end the whole walk
  };
  /// Visits `root` and what it is computed from, each node once, depth first
  /// and the last operand first. Returns false if a visit stopped it.
  bool walk(ValueId root, llvm::function_ref<Walk(ValueId)> visit) const;
  /// Leaves out the nodes in `seen`, and adds those that it visits.
  bool walk(ValueId root, llvm::DenseSet<ValueId> &seen,
            llvm::function_ref<Walk(ValueId)> visit) const;

  /// For each node, the loops whose iteration it depends on, as a bit set;
  /// loops beyond the 63rd share the last bit. The first call computes it, so
  /// two threads must not share a graph. A new node makes it invalid.
  const std::vector<uint64_t> &loopsOf() const;
  /// Returns true if every operand, text, object and loop that a node names
  /// exists, and only Carried nodes close cycles. False for a forged record.
  bool isSound(size_t objects, size_t loops) const;

  static uint64_t loopBit(LoopId loop) {
    return uint64_t(1) << (loop < 63 ? loop : 63);
  }

private:
  friend struct GraphRecord; // serialises graphs (model/record_fields.h)
  uint32_t textIndex(llvm::StringRef text);
  ValueId add(Node node, llvm::ArrayRef<ValueId> operands);

  std::vector<Node> nodes_;
  std::vector<ValueId> operands_;
  std::vector<std::string> texts_;
  llvm::DenseMap<uint64_t, std::vector<ValueId>> byHash_;
  mutable std::vector<uint64_t> loopsOf_; ///< empty: not computed yet
};

} // namespace warplint
