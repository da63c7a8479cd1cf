#include "cost/index_steps.h"

namespace warplint {

namespace {

/// Addresses of single threads, for one set of probe values.
class Addresses {
public:
  Addresses(Evaluation &evaluation, Shape shape, const Access &access,
            unsigned trial)
      : evaluation_(evaluation), shape_(shape), access_(access), trial_(trial),
        first_(evaluation.kernel.loops.size(), 0), begin_(of(0, first_)) {}

  /// Returns the step from the first thread to thread `to` of the block.
  std::optional<int64_t> between(uint64_t to) {
    return distance(begin_, of(to, first_));
  }
  /// Returns the step from the first iteration of `loop` to the second.
  std::optional<int64_t> toNext(LoopId loop) {
    Iterations second = first_;
    second[loop] = 1;
    return distance(begin_, of(0, second));
  }

private:
  std::optional<uint64_t> of(uint64_t thread, const Iterations &iterations) {
    Warp warp(evaluation_, shape_, thread / warpSize, 0, trial_);
    const unsigned lane = thread % warpSize;
    const LaneValues &address = warp.evaluate(access_.address, iterations);
    if (address.unknown >> lane & 1)
      return std::nullopt;
    return address.value[lane];
  }

  static std::optional<int64_t> distance(std::optional<uint64_t> from,
                                         std::optional<uint64_t> to) {
    if (!from || !to)
      return std::nullopt;
    return int64_t(*to - *from);
  }

  Evaluation &evaluation_;
  const Shape shape_;
  const Access &access_;
  const unsigned trial_;
  const Iterations first_;
  const std::optional<uint64_t> begin_; ///< of the first thread
};

} // namespace

IndexSteps indexSteps(const Kernel &kernel, const KernelShape &shape,
                      const Access &access) {
  // Large aligned sizes, and odd ones: what differs depends on a size.
  Evaluation evaluation(kernel, shape.launches);
  Addresses large(evaluation, shape.shape, access, 0),
      odd(evaluation, shape.shape, access, 2);
  auto agreed = [](std::optional<int64_t> a, std::optional<int64_t> b) {
    return a == b ? a : std::nullopt;
  };
  const Shape &block = shape.shape;
  const std::array<uint64_t, 3> extents = {block.x, block.y, block.z};
  const std::array<uint64_t, 3> next = {1, block.x, block.x * block.y};
  IndexSteps steps;
  for (unsigned i = 0; i < 3; ++i)
    if (extents[i] > 1)
      steps.thread[i] = agreed(large.between(next[i]), odd.between(next[i]));
  for (LoopId loop : access.loops)
    steps.loops.push_back({loop, agreed(large.toNext(loop), odd.toNext(loop))});
  return steps;
}

} // namespace warplint
