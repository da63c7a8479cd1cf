// Whether the compiler can know a value once it has unrolled the loops that it
// unrolls, and if not, what keeps it from that.
#pragma once
#include "model/model.h"
#include <optional>
#include <string>

namespace warplint {

/// Loops of fewer iterations are taken to be unrolled in full. Measured with
/// nvcc 13.0 on two bodies: 96 iterations always were, 320 never, 128 to 256 by
/// the body.
constexpr uint64_t fullyUnrolledBelow = 128;

struct NotKnown {
  enum class Cause {
    Memory,
    Argument,
    Thread,
    LoopBound,
    LoopKept,
    LoopLong,
    Other
  };
  Cause cause = Cause::Other;
  std::string what;           ///< "key[k * n + i]", "m"
  std::optional<LoopId> loop; ///< for the three causes that are loops
};

/// Nothing if `value` is known at compile time.
std::optional<NotKnown> whyNotKnown(const Kernel &kernel, ValueId value);

/// The rest of the sentence "index of 'a' ...": "depends on 'off', a kernel
/// argument".
std::string words(const Kernel &kernel, const NotKnown &cause);

} // namespace warplint
