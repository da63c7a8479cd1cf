// What to do about lanes that step over structures or rows: their elements as
// arrays of their own, or as vectors.
#pragma once
#include "cost/costed.h"
#include <cstdint>
#include <string>

namespace warplint {

/// Bytes of the structures or rows that lanes step over, if that is why they
/// are apart.
inline constexpr int64_t largestElement = 256;

/// Returns true if the accesses of each thread together use all that they
/// touch: `out[4 * i]` to `out[4 * i + 3]`.
bool isWholeElement(const Kernel &kernel, const ShapeCosts &shape,
                    unsigned access);

/// Returns true for a member of a structure: `p[i].x`, `p->x`. A member in an
/// index, `view(range.first + i)`, is none.
bool isMember(const Access &access);

/// Returns true if a mask or a remainder leads lanes back: `a[i * 7 & 4095]`
/// has no elements of 7 parts, and lanes use all of it in turn.
bool leadsBack(const ExpressionGraph &graph, ValueId address, int64_t step);

/// The remedy for lanes that are `step` bytes apart, in one line; empty if none
/// is known.
std::string elementAdvice(const Kernel &kernel, const ShapeCosts &shape,
                          unsigned access, int64_t step);

} // namespace warplint
