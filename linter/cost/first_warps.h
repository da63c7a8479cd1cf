// The warps of a launch that stand for all others.
#pragma once
#include "cost/costed.h"
#include "llvm/ADT/bit.h"

namespace warplint {

struct FirstWarps {
  FirstWarps(const Kernel &kernel, const KernelShape &shape)
      : evaluation(kernel, shape.launches),
        first(evaluation, shape.shape, 0, 0, 0),
        neighbour(evaluation, shape.shape, 1, 0, 0),
        nextBlock(first, BlockPlace{first.block()[0] + 1, first.block()[1],
                                    first.block()[2]}),
        odd(evaluation, shape.shape, 0, 0, oddSizes) {}

  Evaluation evaluation;
  Warp first, neighbour; ///< of the first block
  Warp nextBlock;        ///< the first one of it
  Warp odd;              ///< the first one, with odd sizes
};

/// The address of the first active lane, if it is known.
inline std::optional<uint64_t> addressIn(Warp &warp, const Access &access,
                                         const Cost &cost,
                                         const Iterations &iterations = {}) {
  if (!cost.active)
    return std::nullopt;
  const unsigned lane = llvm::countr_zero(cost.active);
  const LaneValues &address = warp.evaluate(access.address, iterations);
  if (address.unknown >> lane & 1)
    return std::nullopt;
  return address.value[lane];
}

/// Bytes between two addresses, if both are known.
inline std::optional<double> distance(std::optional<uint64_t> one,
                                      std::optional<uint64_t> other) {
  if (!one || !other)
    return std::nullopt;
  return std::abs(double(int64_t(*other - *one)));
}

} // namespace warplint
