// Phrases that several checks use.
#pragma once
#include "model/model.h"
#include <string>

namespace warplint {

/// "32", "3.9".
std::string shownNumber(double value);

/// "for blocks of 32x8x1, launched at line 40".
std::string shapeNote(const KernelShape &shape);

} // namespace warplint
