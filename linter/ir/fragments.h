// Finds the accesses to fragments of matrices: what a tensor core's instruction
// takes or gives, of which it fixes which lane has which elements.
#pragma once
#include "ir/read_accesses.h"

namespace warplint {

/// Sets `ofFragment` of the stores whose value is computed from what such an
/// instruction gives, and of the loads whose value it takes as it is.
void readFragments(const AccessReader::Positions &positions, Kernel &kernel);

} // namespace warplint
