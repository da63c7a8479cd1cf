#include "cost/other_block.h"
#include "cost/kernel_time.h"
#include "cost/terms.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

namespace {

bool isSpecial(const ExpressionGraph &graph, ValueId value, Op op,
               uint64_t dimension) {
  const Node &node = graph.node(withoutResizing(graph, value));
  return node.op == op && node.number == dimension;
}

/// Returns true for `blockIdx.x * blockDim.x`.
bool isStartOfBlock(const ExpressionGraph &graph, ValueId value,
                    uint64_t dimension) {
  value = withoutResizing(graph, value);
  if (graph.node(value).op != Op::Multiply)
    return false;
  const ValueId a = graph.operand(value, 0), b = graph.operand(value, 1);
  auto are = [&](ValueId index, ValueId size) {
    return isSpecial(graph, index, Op::BlockIndex, dimension) &&
           isSpecial(graph, size, Op::BlockSize, dimension);
  };
  return are(a, b) || are(b, a);
}

/// Returns true if threads use their index for their place in the grid alone.
bool isFreeOfBlock(const Kernel &kernel) {
  if (!kernel.barriers.empty() ||
      llvm::any_of(kernel.accesses, [](const Access &access) {
        return access.space == Space::Shared || access.space == Space::Unknown;
      }))
    return false;
  const ExpressionGraph &graph = kernel.graph;
  for (ValueId id = 0; id < graph.size(); ++id) {
    const Node &node = graph.node(id);
    switch (node.op) {
    case Op::Lane:
    case Op::FromLane:
    case Op::Ballot:
      return false;
    case Op::Resize:
    case Op::SignExtend:
      continue; // what uses the result decides
    default:
      break;
    }
    const llvm::ArrayRef<ValueId> operands = graph.operands(id);
    for (auto [i, operand] : llvm::enumerate(operands)) {
      const Node &index = graph.node(withoutResizing(graph, operand));
      if (index.op == Op::ThreadIndex &&
          (node.op != Op::Add ||
           !isStartOfBlock(graph, operands[1 - i], index.number)))
        return false;
    }
  }
  return true;
}

KernelShape withBlock(const KernelShape &now, const Shape &block) {
  KernelShape other = now;
  other.shape = block;
  other.grids.clear();
  const std::array<unsigned, 3> before{now.shape.x, now.shape.y, now.shape.z},
      after{block.x, block.y, block.z};
  for (Launched &launch : other.launches)
    for (unsigned i = 0; i < after.size(); ++i)
      if (std::optional<uint64_t> &blocks = launch.grid[i])
        blocks = (*blocks * before[i] + after[i] - 1) / after[i];
  return other;
}

/// The time of the launch; for each of its threads if their number is unknown.
/// A grid of few large blocks uses few SMs.
double cyclesOf(const KernelTime &time, const Shape &block) {
  const double all = time.cycles(time.total());
  if (time.frequencies().warps())
    return all;
  return all * time.frequencies().warpsPerBlock() / double(block.threads());
}

/// How much less time the launch takes in another shape; below 0: how much
/// more.
double shareIn(const CostedKernel &costed, const ShapeCosts &now,
               const Shape &shape) {
  ShapeCosts other{withBlock(now.shape, shape), {}};
  other.costs = costs(costed.kernel, other.shape);
  const KernelTime time(costed.kernel, other, costed.capability);
  return 1 -
         cyclesOf(time, shape) / cyclesOf(timeOf(costed, now), now.shape.shape);
}

bool usesThreadIndex(const ExpressionGraph &graph) {
  for (ValueId id = 0; id < graph.size(); ++id)
    if (graph.node(id).op == Op::ThreadIndex && graph.node(id).number == 0)
      return true;
  return false;
}

} // namespace

std::optional<OtherBlock> fasterBlock(const CostedKernel &costed,
                                      const ShapeCosts &now) {
  const Kernel &kernel = costed.kernel;
  const Shape &block = now.shape.shape;
  if (block.y < 2 || block.z > 1 || kernel.isDispatched ||
      !isFreeOfBlock(kernel))
    return std::nullopt;
  OtherBlock best;
  for (const Shape &shape : {Shape{32, 4}, Shape{32, 8}, Shape{16, 16}})
    if (const double share = shareIn(costed, now, shape); share > best.share)
      best = {shape, share};
  return best.share > 0 ? std::optional(best) : std::nullopt;
}

std::optional<double> shareOfJoined(const CostedKernel &costed,
                                    const ShapeCosts &now, unsigned threads) {
  const Kernel &kernel = costed.kernel;
  const Shape &block = now.shape.shape;
  if (block.x >= warpSize || block.y * block.z > 1 || kernel.isDispatched ||
      !usesThreadIndex(kernel.graph) || !isFreeOfBlock(kernel))
    return std::nullopt;
  return std::max(0.0, shareIn(costed, now, Shape{threads}));
}

} // namespace warplint
