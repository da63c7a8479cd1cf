// Phrases that several checks use.
#pragma once
#include "model/model.h"
#include <string>
#include <string_view>

namespace warplint {

/// "32", "3.9".
std::string shownNumber(double value);

/// "for blocks of 32x8x1, launched at line 40".
std::string shapeNote(const KernelShape &shape);

/// Where Nsight Compute would show it: "in Nsight Compute: Source Counters...".
std::string ncuNote(std::string_view where);

} // namespace warplint
