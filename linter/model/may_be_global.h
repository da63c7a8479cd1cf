// Tells accesses that may be of global memory.
#pragma once
#include "model/model.h"

namespace warplint {

/// Returns true for global memory, and where nothing says which memory it is.
inline bool mayBeGlobal(Space space) {
  return space == Space::Global || space == Space::Unknown;
}

} // namespace warplint
