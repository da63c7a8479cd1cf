#include "cost/blocks_under.h"

namespace warplint {

namespace {

using Walk = ExpressionGraph::Walk;

/// The dimensions of the grid that a bound limits, as bits; 0 for what is no
/// bound: what masks or divides an index lets through blocks all over the grid.
uint8_t boundedDimensions(const ExpressionGraph &graph, ValueId condition) {
  uint8_t dimensions = 0;
  bool hasOrder = false;
  const bool isBound = graph.walk(condition, [&](ValueId id) {
    const Node &node = graph.node(id);
    switch (node.op) {
    case Op::BlockIndex:
      dimensions |= 1 << node.number;
      return Walk::Into;
    case Op::LessSigned:
    case Op::LessEqualSigned:
    case Op::LessUnsigned:
    case Op::LessEqualUnsigned:
      hasOrder = true;
      return Walk::Into;
    case Op::And:
    case Op::Or:
    case Op::Xor:
      return node.bits == 1 ? Walk::Into : Walk::Stop;
    case Op::Equal:
    case Op::NotEqual:
    case Op::RemainderSigned:
    case Op::RemainderUnsigned:
    case Op::ReverseBits:
    case Op::Opaque:
    case Op::Varying:
    case Op::Loaded:
    case Op::FromLane:
    case Op::Forwarded:
      return Walk::Stop;
    default:
      return Walk::Into;
    }
  });
  return isBound && hasOrder ? dimensions : 0;
}

class Reader {
public:
  Reader(Evaluation &evaluation, const KernelShape &shape, ValueId condition)
      : evaluation_(evaluation), shape_(shape), condition_(condition) {}

  /// Returns true unless it is certain that no thread of a block passes.
  bool passes(const BlockPlace &block) const {
    Warp first(evaluation_, shape_.shape, 0, 0, /*trial=*/0);
    first.doubt();
    first.pin(block);
    if (first.may(condition_, Iterations()))
      return true;
    const uint64_t warps = shape_.shape.warps();
    return warps > 1 && Warp(first, unsigned(warps - 1))
                            .may(condition_, Iterations());
  }

  /// Along one dimension, the part of the grid around a block that passes.
  double partAround(const BlockPlace &inside, unsigned dimension,
                    uint64_t blocks) const {
    auto edge = [&](uint64_t in, uint64_t out) {
      BlockPlace place = inside;
      place[dimension] = out;
      if (passes(place))
        return out;
      while (std::max(in, out) - std::min(in, out) > 1) {
        place[dimension] = std::min(in, out) + (std::max(in, out) -
                                                std::min(in, out)) / 2;
        (passes(place) ? in : out) = place[dimension];
      }
      return in;
    };
    const uint64_t last = edge(inside[dimension], blocks - 1),
                   first = edge(inside[dimension], 0);
    return double(last - first + 1) / double(blocks);
  }

private:
  Evaluation &evaluation_;
  const KernelShape &shape_;
  const ValueId condition_;
};

} // namespace

double blocksUnder(Evaluation &evaluation, const KernelShape &shape,
                   ValueId condition) {
  if (shape.launches.empty())
    return 1;
  const Launched &launch = shape.launches.front();
  if (launch.blocks().value_or(0) <= fewBlocks)
    return 1;
  const uint8_t dimensions =
      boundedDimensions(evaluation.kernel.graph, condition);
  if (!dimensions)
    return 1;
  const Reader reader(evaluation, shape, condition);
  // Along the diagonal, a triangle of blocks passes whole: half of them have
  // nothing to do, of which nothing is said.
  constexpr unsigned samples = 5;
  std::vector<BlockPlace> passing;
  for (unsigned i = 0; i < samples; ++i) {
    BlockPlace place{};
    for (unsigned d = 0; d < 3; ++d)
      if (dimensions >> d & 1)
        place[d] = (*launch.grid[d] - 1) * i / (samples - 1);
    if (reader.passes(place))
      passing.push_back(place);
  }
  if (passing.empty() || passing.size() == samples)
    return 1;
  const BlockPlace inside = passing[passing.size() / 2];
  double part = 1;
  for (unsigned d = 0; d < 3; ++d)
    if (dimensions >> d & 1)
      part *= reader.partAround(inside, d, *launch.grid[d]);
  return part;
}

} // namespace warplint
