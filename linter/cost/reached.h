// The objects that accesses reach.
#pragma once
#include "cost/lanes.h"

namespace warplint {

struct ShapeCosts;

/// The first address of the object that an access reaches in its first request,
/// which identifies it; no value if no lane is active.
std::optional<uint64_t> objectOf(const Cost &cost);

/// The object that an address leads into, by its expression; no value if it may
/// lead into several, or by a pointer that is not followed.
std::optional<ObjectId> onlyObject(const Kernel &kernel, ValueId address);

/// Returns true if the kernel writes the object that an access reaches, or one
/// of its name where the address of the write is unknown.
bool writesObjectOf(const Kernel &kernel, const ShapeCosts &costs,
                    unsigned access);

/// Returns true for a kernel whose only result is what it prints, in the order
/// of its loops.
bool onlyPrints(const Kernel &kernel);

} // namespace warplint
