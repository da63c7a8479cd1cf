// Two computations of one float to whether all 2^32 floats give both the same
// bits.
#pragma once
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Value.h"
#include <optional>
#include <string>
#include <vector>

namespace warplint {

/// A value, and the one that alone decides it.
struct OneFloat {
  const llvm::Value *result = nullptr, *input = nullptr;
};

/// The value as a function of one of 32 bits, by operations whose results IEEE
/// 754 defines to the last bit: no approximation, no flushed denormal, no sum
/// that ptxas may fuse with a product. None if it is no float and no bit, or
/// depends on several values or on other operations.
std::optional<OneFloat> ofOneFloat(const llvm::Value &result);

/// The values of 32 bits each of which alone decides the result, from the last
/// to be computed to the input.
std::vector<const llvm::Value *> waistsOf(const OneFloat &of);

/// A text that computations of one form share.
std::string shapeOf(const OneFloat &of);

/// Tries hard values first, then all. Expects inputs that are the same. False
/// as well for computations that would take more than some seconds. A NaN
/// counts as a device's: with bits of its own if an operation made it, else as
/// different.
bool areSameForAllFloats(const OneFloat &one, const OneFloat &other);

} // namespace warplint
