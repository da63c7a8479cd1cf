// An access to a sentence that a person can check by hand: what one lane
// addresses, and what another does.
#pragma once
#include "cost/lanes.h"
#include <string>

namespace warplint {

/// "lane 0 reads a[0], lane 1 reads a[1024]": elements, where each lane moves
/// one whole element of what the source subscripts. Where other unknowns than
/// the distance decide, "lane 0 reads a[...], lane 1 reads a[... + n]"; of
/// parts of an element, "lane 1 reads 'p[i].x' 32 bytes after lane 0". Empty if
/// the distance depends on more than one unknown size.
///
/// It is that of the first iteration of all loops, and the same for all probe
/// values that were tried.
std::string laneNote(const Kernel &kernel, const KernelShape &shape,
                     const Access &access, unsigned first, unsigned second);

/// Whether two lanes have different values of `value`, in the first iteration
/// of all loops; nothing if that is not known.
std::optional<bool> lanesDiffer(const Kernel &kernel, const KernelShape &shape,
                                ValueId value, unsigned first, unsigned second);

/// The first two lanes next to each other, of those that take part, that need
/// different sectors; else that address different bytes; 0 and 1 if there are
/// none.
std::pair<unsigned, unsigned> neighbouringLanes(const Cost &cost);

} // namespace warplint
