#include "cost/span.h"
#include "cost/terms.h"
#include <cmath>

namespace warplint {

namespace {

/// Warps and iterations between the outermost ones.
constexpr unsigned inner = 12;

/// The blocks that differ in what they touch; nothing if unknown.
std::optional<BlockPlace> gridOf(const KernelShape &shape, bool isOfBlock) {
  if (!isOfBlock)
    return BlockPlace{1, 1, 1};
  if (shape.launches.empty())
    return std::nullopt;
  BlockPlace grid{};
  for (unsigned d = 0; d < 3; ++d) {
    if (!shape.launches.front().grid[d])
      return std::nullopt;
    grid[d] = *shape.launches.front().grid[d];
  }
  return grid;
}

bool hasDivision(const ExpressionGraph &graph, ValueId address) {
  return dependsOn(graph, address,
                   {Op::DivideSigned, Op::DivideUnsigned, Op::RemainderSigned,
                    Op::RemainderUnsigned, Op::And, Op::ShiftRightSigned,
                    Op::ShiftRightUnsigned});
}

/// The loops that move an address.
struct MovingLoops {
  std::vector<std::pair<LoopId, unsigned>> iterations;
  /// Bytes by which the other loops move it in all: they have more iterations
  /// than are evaluated, and a constant step.
  double steps = 0;
};

/// Nothing if unknown.
std::optional<MovingLoops> movingLoops(const Kernel &kernel,
                                       const Access &access,
                                       Frequencies &frequencies) {
  MovingLoops loops;
  for (LoopId loop : access.loops) {
    if (!(kernel.graph.loopsOf()[access.address] &
          ExpressionGraph::loopBit(loop)))
      continue;
    const Trips trips = frequencies.trips(loop);
    if (trips.isAssumed)
      return std::nullopt;
    if (trips.count <= iterationsFollowed) {
      loops.iterations.push_back({loop, unsigned(std::max(1.0, trips.count))});
      continue;
    }
    const auto step = bytesOfStep(kernel.graph, access.address, loop);
    if (!step)
      return std::nullopt;
    loops.steps += std::abs(double(*step)) * (trips.count - 1);
  }
  return loops;
}

/// Points of a box that has `sizes` points along its sides: its corners, and
/// some within, spread by multiples of irrational numbers.
template <class Visit>
void forPoints(llvm::ArrayRef<uint64_t> sizes, Visit visit) {
  std::vector<uint64_t> point(sizes.size());
  const unsigned sides = std::min<size_t>(sizes.size(), 5);
  for (unsigned corner = 0; corner < 1u << sides; ++corner) {
    bool isNew = true;
    for (unsigned i = 0; i < sizes.size(); ++i) {
      const bool isLast = i < sides && (corner >> i & 1);
      isNew &= !isLast || sizes[i] > 1;
      point[i] = isLast ? sizes[i] - 1 : 0;
    }
    if (isNew)
      visit(point);
  }
  for (unsigned n = 1; n <= inner; ++n) {
    for (unsigned i = 0; i < sizes.size(); ++i) {
      const double spread = n * std::sqrt(2 + 3 * i);
      point[i] = uint64_t((spread - std::floor(spread)) * double(sizes[i]));
    }
    visit(point);
  }
}

} // namespace

std::optional<double> spanOf(const Kernel &kernel, const KernelShape &shape,
                             const Access &access, Frequencies &frequencies) {
  const bool isOfBlock =
      dependsOn(kernel.graph, access.address, {Op::BlockIndex});
  if (isOfBlock && !hasDivision(kernel.graph, access.address))
    return std::nullopt;
  // A condition may let other blocks see more of it than the first.
  const std::optional<BlockPlace> grid =
      gridOf(shape, isOfBlock || dependsOn(kernel.graph, access.guard,
                                           {Op::BlockIndex}));
  const auto loops = movingLoops(kernel, access, frequencies);
  if (!grid || !loops)
    return std::nullopt;
  std::vector<uint64_t> sizes(grid->begin(), grid->end());
  sizes.push_back(frequencies.warpsPerBlock());
  for (const auto &[loop, trips] : loops->iterations)
    sizes.push_back(trips);
  Evaluation evaluation(kernel, shape.launches);
  auto spanIn = [&](unsigned trial) -> std::optional<double> {
    uint64_t first = ~uint64_t(0), last = 0;
    bool isKnown = true;
    forPoints(sizes, [&](llvm::ArrayRef<uint64_t> point) {
      const Warp any(evaluation, shape.shape, point[3], 0, trial);
      Warp warp(any, {point[0], point[1], point[2]});
      Iterations iterations;
      for (unsigned i = 0; i < loops->iterations.size(); ++i)
        iterations[loops->iterations[i].first] = uint8_t(point[4 + i]);
      const uint32_t active = warp.may(access.guard, iterations);
      const LaneValues &address = warp.evaluate(access.address, iterations);
      isKnown &= !(address.unknown & active);
      for (unsigned lane = 0; lane < warpSize; ++lane)
        if (active >> lane & 1) {
          first = std::min(first, address.value[lane]);
          last = std::max(last, address.value[lane]);
        }
    });
    if (!isKnown || first > last)
      return std::nullopt;
    return double(last - first) + access.bytes + loops->steps;
  };
  const std::optional<double> span = spanIn(0);
  // A size that only the run knows may lead anywhere.
  const bool hasSizes = dependsOn(kernel.graph, access.address,
                                  {Op::Parameter, Op::Uniform, Op::Opaque});
  return span && hasSizes && spanIn(1) != span ? std::nullopt : span;
}

} // namespace warplint
