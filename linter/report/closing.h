// The last line of a report: how many findings, and how many of them the
// compiled code confirms.
#pragma once
#include "report/report.h"
#include <string>

namespace warplint {

/// "3 warnings (2 confirmed, 1 unjudged: no nvcc found), 2 suspicions refuted
/// by the compiled code (--refuted shows them)", "no findings in 12 kernels of
/// 3 sources, 1 source not linted, 1 allowed by comments".
std::string closingLine(const Report &report, bool refutedShown);

} // namespace warplint
