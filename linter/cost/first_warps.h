// The warps of a launch that stand for all others.
#pragma once
#include "cost/costed.h"
#include "llvm/ADT/bit.h"
#include <deque>

namespace warplint {

struct FirstWarps {
  FirstWarps(const Kernel &kernel, const KernelShape &shape)
      : evaluation(kernel, shape.launches),
        first(evaluation, shape.shape, 0, 0, 0),
        neighbour(evaluation, shape.shape, 1, 0, 0),
        nextBlock(first, BlockPlace{first.block()[0] + 1, first.block()[1],
                                    first.block()[2]}),
        odd(evaluation, shape.shape, 0, 0, oddSizes) {
    const unsigned row = shape.shape.x, plane = row * shape.shape.y;
    addFar(shape.shape, row, shape.shape.y);
    addFar(shape.shape, plane, shape.shape.z);
  }

  Evaluation evaluation;
  Warp first, neighbour; ///< of the first block
  Warp nextBlock;        ///< the first one of it
  Warp odd;              ///< the first one, with odd sizes
  /// The warp that begins the next row or plane of threads, where it is not the
  /// neighbour, and the number of rows or planes.
  struct Far {
    Far(Evaluation &evaluation, const Shape &shape, unsigned index,
        unsigned count)
        : warp(evaluation, shape, index, 0, 0), count(count) {}
    Warp warp;
    unsigned count;
  };
  std::deque<Far> far; // a warp cannot be moved

private:
  void addFar(const Shape &shape, unsigned threads, unsigned count) {
    if (count > 1 && threads > warpSize && threads % warpSize == 0)
      far.emplace_back(evaluation, shape, threads / warpSize, count);
  }
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
