// Divisions that another form of the program could do without.
#pragma once
#include "model/model.h"
#include <optional>

namespace warplint {

/// Why a division or a remainder could be cheaper.
struct CostlyDivision {
  /// It divides by one value in all iterations of `innermostOwnLoop`.
  bool isInvariant = false;
  bool isWide = false; ///< in 64 bits, though its values fit into 32
  /// It divides integers by what all threads of the launch have, such as an
  /// argument.
  bool isUniform = false;
  /// All threads of the launch have its divisor, whatever it divides.
  bool isByShared = false;
  /// That divisor is loaded data, or an element that a loop's counter chooses:
  /// no constant of the program could take its place.
  bool isByOneOfMany = false;
  /// It divides integers by a power of two, which the compiler does not see: a
  /// step that a loop doubles or halves, `1 << k`.
  bool isByPowerOfTwo = false;
  bool isShifted = false; ///< of that power: shifts alone make it, `1 << k`
};

/// The innermost loop around the operation that is the user's to change; none
/// where a library's dispatch has the only ones.
std::optional<LoopId> innermostOwnLoop(const Kernel &kernel,
                                       const Computation &operation);

/// The reasons, if there is one; none for other operations, for divisors that
/// the compiler knows, and in the loops of a compare-and-swap, which iterate
/// once as a rule.
std::optional<CostlyDivision> costlyDivision(const Kernel &kernel,
                                             const Computation &operation);

} // namespace warplint
