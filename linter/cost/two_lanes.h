// Describes an access by the addresses of two lanes, so that a person can check
// it by hand.
#pragma once
#include "cost/lanes.h"
#include <string>

namespace warplint {

/// "lane 0 reads a[0], lane 1 reads a[1024]" if each lane moves one whole
/// element of the subscripted array. If the start is unknown, "lane 0 reads
/// a[...], lane 1 reads a[... + n]"; for parts of an element, "lane 1 reads
/// 'p[i].x' 32 bytes after lane 0". Empty if the distance depends on more than
/// one unknown size.
///
/// Describes the first iteration of all loops; true for all probe values tried.
std::string laneNote(const Kernel &kernel, const KernelShape &shape,
                     const Access &access, unsigned first, unsigned second);

/// True if two lanes have different values of `value` in the first iteration of
/// all loops; nothing if unknown.
std::optional<bool> lanesDiffer(const Kernel &kernel, const KernelShape &shape,
                                ValueId value, unsigned first, unsigned second);

/// The first two neighbouring active lanes that need different sectors; else
/// that have different addresses; else 0 and 1.
std::pair<unsigned, unsigned> neighbouringLanes(const Cost &cost);

} // namespace warplint
