// The objects that accesses reach, by the addresses of their first requests.
#pragma once
#include "cost/lanes.h"

namespace warplint {

struct ShapeCosts;

/// The first address of the object that an access reaches, which identifies it;
/// no value if no lane is active.
std::optional<uint64_t> objectOf(const Cost &cost);

/// Returns true if the kernel writes the object that an access reaches, or one
/// of its name where the address of the write is unknown.
bool writesObjectOf(const Kernel &kernel, const ShapeCosts &costs,
                    unsigned access);

} // namespace warplint
