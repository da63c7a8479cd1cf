// Accesses by the pointer argument that they go through.
#pragma once
#include "model/model.h"
#include <optional>

namespace warplint {

/// The pointer argument that an access goes through, in global memory; none if
/// it goes through a pointer in memory, a member, a variable of the source, or
/// one of several arguments.
std::optional<ObjectId> argumentOf(const Kernel &kernel, const Access &access);

/// The pointer that an access goes through, if a launch passes it: an argument
/// as above, or a member of a structure that is one. Accesses through the same
/// pointer have the same root.
std::optional<ValueId> passedPointerOf(const Kernel &kernel,
                                       const Access &access);

} // namespace warplint
