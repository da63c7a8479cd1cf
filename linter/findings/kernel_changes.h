// Two versions of a kernel to what the later one pays more.
#pragma once
#include "model/model.h"
#include <string>
#include <vector>

namespace warplint {

/// "store of 'y[i * s]': 4 -> 32 sectors per request", "FP64 instructions of a
/// warp: 0 -> 12": accesses with more sectors or conflict ways, then the pipes
/// that a warp uses more. Accesses are matched by their text, so moved lines
/// are no change. `capability`: of the machine, 90 for sm_90.
std::vector<std::string> whatGrew(const Kernel &before, const Kernel &after,
                                  unsigned capability);

} // namespace warplint
