// Decides if a value is a compile-time constant once loops are unrolled, and if
// not, why.
#pragma once
#include "model/model.h"
#include <optional>
#include <string>

namespace warplint {

/// Loops of fewer iterations count as fully unrolled. Measured with nvcc 13.0
/// on two bodies: it unrolls 96 iterations always, 320 never, 128 to 256
/// depending on the body.
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
  std::optional<LoopId> loop; ///< for the three Loop causes
};

/// Returns nothing if `value` is known at compile time.
std::optional<NotKnown> whyNotKnown(const Kernel &kernel, ValueId value);

/// Returns true if copies of its body are all that the compiler leaves of a
/// loop, as far as its own number of iterations and its pragma decide.
bool isUnrolled(const Kernel &kernel, LoopId loop);

/// What decides how many iterations a loop has, in words: its bound, "'n'", or,
/// where that is a constant, as in `for (i = p.degree; i >= 0; --i)`, what it
/// counts from. Empty if it is not known.
std::string decidesLength(const Kernel &kernel, LoopId loop);

/// Returns true if a loop's counter reaches `value` as the rest of a division
/// alone, as in `a[(i + j) % 8]`, or as one that starts again, as behind `if (i
/// >= 8) i -= 8`: the array limits no such loop.
bool isRestOf(const Kernel &kernel, ValueId value, LoopId loop);

/// The first access in the text to `array` whose index is not known at compile
/// time, before others one whose index comes from memory, and behind others one
/// of a loop that only loops around it, which are unrolled, make longer or
/// shorter; null if all are known.
const Access *firstUnknownIndex(const Kernel &kernel, unsigned array);

/// Returns true if a thread's registers could hold the array, if all its
/// indexes were known.
bool fitsRegisters(const Array &array);

/// Returns true if the kernel reads the array and gives it only constants,
/// outside of loops: all threads have the same one.
bool isConstantTable(const Kernel &kernel, unsigned array);

/// Completes the sentence "index of 'a' ...": "depends on 'off', a kernel
/// argument", "is counted by the loop at line 9" of a loop in the file of
/// `seenFrom`, else "at main.cu:9".
std::string words(const Kernel &kernel, const NotKnown &cause,
                  const Place &seenFrom);

} // namespace warplint
