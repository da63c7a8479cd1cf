// The instrument behind `accesses --summary`: observes the reading of a source
// and records the coverage of each of its kernels.
#pragma once
#include "source/coverage/coverage.h"
#include "source/read_observer.h"
#include <memory>

namespace warplint {

/// Its record is a std::vector<Coverage>, by kernel.
std::unique_ptr<ReadObserver> coverageObserver();

} // namespace warplint
