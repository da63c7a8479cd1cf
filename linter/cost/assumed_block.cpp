#include "cost/assumed_block.h"
#include "cost/lanes.h"
#include "cost/terms.h"
#include "os/deadline.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <array>
#include <deque>

namespace warplint {

namespace {

using Walk = ExpressionGraph::Walk;

constexpr uint64_t usualThreads = 256, mostThreads = 1024;
constexpr unsigned mostIterations = 16; ///< that are looked at

/// Sees what indexes the accesses of a kernel.
class Indexes {
public:
  /// `ofUser`: of the user's own accesses alone, without their guards. The first
  /// thread of a block, for a grid's barrier, has three indexes of 0.
  Indexes(const Kernel &kernel, bool ofUser) : graph_(kernel.graph) {
    llvm::DenseSet<ValueId> seen;
    auto look = [&](ValueId root) {
      graph_.walk(root, seen, [&](ValueId id) {
        note(id);
        return isPlanesBefore(id) ? Walk::Past : Walk::Into;
      });
    };
    for (const Access &access : kernel.accesses) {
      if (ofUser && access.inLibrary)
        continue;
      look(access.address);
      if (!ofUser)
        look(access.guard);
    }
  }

  bool isUsed(unsigned dimension) const { return isUsed_[dimension]; }
  /// 16 of `blockIdx.x * 16 + threadIdx.x`: the block's size along x. None if
  /// there are several such numbers.
  std::optional<unsigned> sizeOf(unsigned dimension) const {
    return sizes_[dimension].size() == 1
               ? std::optional<unsigned>(*sizes_[dimension].begin())
               : std::nullopt;
  }

private:
  void note(ValueId id) {
    const Node &node = graph_.node(id);
    if (node.op == Op::ThreadIndex)
      isUsed_[node.number] = true;
    if (node.op != Op::Add)
      return;
    for (unsigned side : {0u, 1u}) {
      const Node &thread =
          graph_.node(withoutResizing(graph_, graph_.operand(id, side)));
      if (thread.op != Op::ThreadIndex)
        continue;
      if (auto size = scaleOfBlock(graph_.operand(id, 1 - side), thread.number))
        sizes_[thread.number].insert(*size);
    }
  }

  /// `threadIdx.z * blockDim.y`: the rank of a thread in its block, as that of
  /// cooperative groups, counts planes also where a block has one.
  bool isPlanesBefore(ValueId id) const {
    const Node &node = graph_.node(id);
    if (node.op != Op::Multiply)
      return false;
    auto is = [&](unsigned side, Op op) {
      const Node &operand =
          graph_.node(withoutResizing(graph_, graph_.operand(id, side)));
      return operand.op == op && (op == Op::BlockSize || operand.number == 2);
    };
    return (is(0, Op::ThreadIndex) && is(1, Op::BlockSize)) ||
           (is(1, Op::ThreadIndex) && is(0, Op::BlockSize));
  }

  std::optional<unsigned> scaleOfBlock(ValueId id, unsigned dimension) const {
    id = withoutResizing(graph_, id);
    const Node &node = graph_.node(id);
    if (node.op != Op::Multiply && node.op != Op::ShiftLeft)
      return std::nullopt;
    ValueId block = withoutResizing(graph_, graph_.operand(id, 0)),
            scale = withoutResizing(graph_, graph_.operand(id, 1));
    if (node.op == Op::Multiply && graph_.node(block).op == Op::Constant)
      std::swap(block, scale);
    const Node &index = graph_.node(block), &number = graph_.node(scale);
    if (index.op != Op::BlockIndex || index.number != dimension ||
        number.op != Op::Constant || number.number > mostThreads)
      return std::nullopt;
    const uint64_t size = node.op == Op::Multiply ? number.number
                          : number.number < 11    ? uint64_t(1) << number.number
                                                  : 0;
    return size && size <= mostThreads ? std::optional<unsigned>(size)
                                       : std::nullopt;
  }

  const ExpressionGraph &graph_;
  std::array<bool, 3> isUsed_{};
  std::array<llvm::DenseSet<unsigned>, 3> sizes_;
};

bool dependsOnThreads(const ExpressionGraph &graph, ValueId value,
                      unsigned dimension) {
  return !graph.walk(value, [&](ValueId id) {
    const Node &node = graph.node(id);
    return node.op == Op::ThreadIndex && node.number == dimension ? Walk::Stop
                                                                  : Walk::Into;
  });
}

/// Asks whether a block's threads stay in the arrays in shared memory.
class Fit {
public:
  Fit(const Kernel &kernel, Shape shape) : kernel_(kernel), shape_(shape) {
    for (unsigned index = 0; index * warpSize < shape.threads(); ++index)
      warps_.emplace_back(evaluation_, shape, index, 0, 0);
  }

  bool fits() {
    return llvm::all_of(kernel_.accesses, [&](const Access &access) {
      return isOverdue() || !access.bytes || fits(access);
    });
  }

private:
  bool fits(const Access &access) {
    if (access.space != Space::Shared && access.space != Space::Unknown)
      return true;
    const bool isOfRows = access.operation == Operation::Store &&
                          dependsOnThreads(kernel_.graph, access.address, 0) &&
                          dependsOnThreads(kernel_.graph, access.address, 1);
    llvm::DenseSet<uint64_t> stored; // in the first iteration
    for (Warp &warp : warps_) {
      unsigned visits = 0;
      bool isInside = true;
      warp.forEachIteration(
          access.loops, access.guard, [&](const Iterations &iterations) {
            isInside = isIn(warp, access, iterations,
                            isOfRows && !visits ? &stored : nullptr);
            return isInside && ++visits < mostIterations;
          });
      if (!isInside)
        return false;
    }
    return true;
  }

  bool isIn(Warp &warp, const Access &access, const Iterations &iterations,
            llvm::DenseSet<uint64_t> *stored) {
    const uint32_t active = warp.may(access.guard, iterations);
    const LaneValues &address = warp.evaluate(access.address, iterations);
    if (!active || address.assumed || (address.unknown & active))
      return true;
    const Object *object =
        warp.objectAt(address.value[llvm::countr_zero(active)]);
    if (!object || object->space != Space::Shared || !object->bytes)
      return true;
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      if (!(active >> lane & 1))
        continue;
      const int64_t offset = offsetInObject(address.value[lane]);
      if (offset < 0 || uint64_t(offset) + access.bytes > object->bytes)
        return false;
      if (stored && !stored->insert(address.value[lane]).second)
        return false;
      if (lane % shape_.x && (active >> (lane - 1) & 1) &&
          leavesRow(*object, offsetInObject(address.value[lane - 1]), offset))
        return false;
    }
    return true;
  }

  /// A step along a row ends in the next one.
  static bool leavesRow(const Object &object, int64_t from, int64_t to) {
    const int64_t row = object.rowBytes;
    return row && from != to && std::abs(to - from) < row &&
           from / row != to / row;
  }

  const Kernel &kernel_;
  const Shape shape_;
  Evaluation evaluation_{kernel_};
  std::deque<Warp> warps_;
};

} // namespace

Shape assumedBlock(const Kernel &kernel, std::optional<unsigned> bound) {
  const Indexes indexes(kernel, bound.has_value());
  const bool hasRows = indexes.isUsed(1), hasPlanes = indexes.isUsed(2);
  const Shape flat{bound.value_or(usualThreads), 1, 1};
  if (!hasRows && !hasPlanes)
    return flat;
  std::vector<Shape> candidates;
  const auto x = indexes.sizeOf(0), y = indexes.sizeOf(1);
  if (x && y && !hasPlanes)
    candidates.push_back({*x, *y, 1});
  if (x && !hasPlanes && *x <= usualThreads)
    candidates.push_back({*x, unsigned(usualThreads / *x), 1});
  static constexpr Shape rows[] = {
      {32, 8, 1}, {16, 16, 1}, {8, 8, 1}, {8, 4, 1}};
  static constexpr Shape planes[] = {
      {32, 4, 2}, {8, 8, 4}, {4, 4, 4}, {4, 4, 2}};
  const unsigned all = bound.value_or(0);
  if (hasPlanes)
    llvm::append_range(candidates, llvm::ArrayRef<Shape>{{32, all / 64, 2},
                                                         {8, 8, all / 64},
                                                         {4, 4, all / 16}});
  else
    for (unsigned row : {32, 16, 8})
      candidates.push_back({row, all / row, 1});
  for (const Shape &usual : hasPlanes ? planes : rows)
    candidates.push_back(usual);
  const unsigned most = bound.value_or(mostThreads);
  llvm::erase_if(candidates, [&](const Shape &shape) {
    return shape.threads() > most || shape.threads() < warpSize;
  });
  if (candidates.empty())
    return flat;
  for (const Shape &shape : candidates)
    if (Fit(kernel, shape).fits())
      return shape;
  return candidates.front();
}

} // namespace warplint
