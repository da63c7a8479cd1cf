#include "cost/index_steps.h"
#include "cost/warp.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace warplint {

/// Reads the steps of one kernel in one shape, those of each access once.
class StepReader {
public:
  StepReader(const Kernel &kernel, KernelShape shape)
      : kernel_(kernel), shape_(std::move(shape)),
        evaluation_(kernel, shape_.launches), steps_(kernel.accesses.size()) {}

  const IndexSteps &of(unsigned access) {
    if (!steps_[access])
      steps_[access] = read(kernel_.accesses[access]);
    return *steps_[access];
  }

  bool loadsWhatItStored(const Access &store, const Access &load, LoopId loop) {
    const Followed &loaded = firstAddresses(load, loop),
                   &stored = firstAddresses(store, loop);
    for (unsigned i = 1; i < loaded.size(); ++i)
      if (loaded[i] &&
          llvm::is_contained(llvm::ArrayRef(stored).take_front(i), loaded[i]))
        return true;
    return false;
  }

private:
  // Large aligned sizes, and odd ones: what differs depends on a size.
  static constexpr std::array<unsigned, 2> trials = {0, 2};
  /// Addresses in the first iterations of a loop.
  using Followed = std::array<std::optional<uint64_t>, 4>;

  /// Each load of a loop is compared with each store.
  const Followed &firstAddresses(const Access &access, LoopId loop) {
    auto [place, isNew] = followed_.try_emplace({access.address, loop});
    if (isNew)
      for (unsigned i = 0; i < place->second.size(); ++i) {
        Iterations now = first_;
        now[loop] = i;
        place->second[i] = addressOf(access, 0, now, trials[0]);
      }
    return place->second;
  }

  IndexSteps read(const Access &access) {
    const Shape &block = shape_.shape;
    const std::array<uint64_t, 3> extents = {block.x, block.y, block.z};
    const std::array<uint64_t, 3> next = {1, block.x, block.x * block.y};
    IndexSteps steps;
    for (unsigned i = 0; i < 3; ++i)
      if (extents[i] > 1)
        steps.thread[i] = step(access, next[i], first_);
    for (unsigned i = 0; i < 3; ++i)
      steps.block[i] = stepOfBlock(access, i);
    for (LoopId loop : access.loops) {
      Iterations second = first_;
      second[loop] = 1;
      steps.loops.push_back({loop, step(access, 0, second)});
    }
    return steps;
  }

  /// The step from the first thread in the first iterations to another; nothing
  /// if the trials differ.
  std::optional<int64_t> step(const Access &access, uint64_t thread,
                              const Iterations &iterations) {
    return inAllTrials(access, [&](unsigned trial) {
      return addressOf(access, thread, iterations, trial);
    });
  }

  /// That from the first thread to the one of the next block.
  std::optional<int64_t> stepOfBlock(const Access &access, unsigned dimension) {
    for (const Launched &launch : shape_.launches)
      if (launch.grid[dimension] == 1u)
        return std::nullopt;
    return inAllTrials(access, [&](unsigned trial) {
      return addressIn(warpOfNextBlock(dimension, trial), access, 0, first_);
    });
  }

  std::optional<int64_t>
  inAllTrials(const Access &access,
              llvm::function_ref<std::optional<uint64_t>(unsigned)> addressAt) {
    std::optional<int64_t> agreed;
    for (unsigned trial : trials) {
      const auto from = addressOf(access, 0, first_, trial);
      const auto to = addressAt(trial);
      if (!from || !to)
        return std::nullopt;
      const int64_t bytes = *to - *from;
      if (agreed && *agreed != bytes)
        return std::nullopt;
      agreed = bytes;
    }
    return agreed;
  }

  Warp &warpOf(unsigned index, unsigned trial) {
    return warps_
        .try_emplace({index, trial}, evaluation_, shape_.shape, index,
                     /*block=*/0, trial)
        .first->second;
  }

  Warp &warpOfNextBlock(unsigned dimension, unsigned trial) {
    BlockPlace next = warpOf(0, trial).block();
    ++next[dimension];
    return nextBlocks_.try_emplace({dimension, trial}, warpOf(0, trial), next)
        .first->second;
  }

  std::optional<uint64_t> addressOf(const Access &access, uint64_t thread,
                                    const Iterations &iterations,
                                    unsigned trial) {
    return addressIn(warpOf(thread / warpSize, trial), access,
                     thread % warpSize, iterations);
  }

  static std::optional<uint64_t> addressIn(Warp &warp, const Access &access,
                                           unsigned lane,
                                           const Iterations &iterations) {
    const LaneValues &address = warp.evaluate(access.address, iterations);
    if (address.unknown >> lane & 1)
      return std::nullopt;
    return address.value[lane];
  }

  const Kernel &kernel_;
  const KernelShape shape_;
  Evaluation evaluation_;
  std::map<std::pair<unsigned, unsigned>, Warp> warps_; ///< by index and trial
  std::map<std::pair<unsigned, unsigned>, Warp>
      nextBlocks_; ///< by dimension and trial
  const Iterations first_;
  std::vector<std::optional<IndexSteps>> steps_; ///< by access
  std::map<std::pair<ValueId, LoopId>, Followed> followed_; ///< by address
};

namespace {

StepReader &stepsOf(const CostedKernel &costed, const ShapeCosts &shape) {
  if (!shape.steps)
    shape.steps = std::make_shared<StepReader>(costed.kernel, shape.shape);
  return *shape.steps;
}

} // namespace

const IndexSteps &indexSteps(const CostedKernel &costed,
                             const ShapeCosts &shape, unsigned access) {
  return stepsOf(costed, shape).of(access);
}

bool loadsWhatItStored(const CostedKernel &costed, const ShapeCosts &shape,
                       const Access &store, const Access &load, LoopId loop) {
  return stepsOf(costed, shape).loadsWhatItStored(store, load, loop);
}

} // namespace warplint
