// How large the probe values of sizes may be, so that products of them and of a
// thread's index do not overflow.
#pragma once
#include "model/expression.h"
#include "llvm/ADT/DenseMap.h"

namespace warplint {

/// By node, or by address of a loaded value: the bits of its probe values, where
/// those of a usual one would overflow. In `thread * (k * k)`, a `k` of 20480
/// makes indexes negative: a program has no such `k`.
using SizeLimits = llvm::DenseMap<ValueId, unsigned>;

/// Probe values of 16 bits need no limit; those below 9 are no multiples of 32.
constexpr unsigned usualSizeBits = 16, fewestSizeBits = 9;

SizeLimits sizeLimits(const ExpressionGraph &graph);

/// The key of a size in `SizeLimits`: two loads of one address agree.
inline ValueId sizeKey(const ExpressionGraph &graph, ValueId size) {
  return graph.node(size).op == Op::Loaded ? graph.operand(size, 0) : size;
}

} // namespace warplint
