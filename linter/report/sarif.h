// The report as SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange
// Format"), for code-scanning services and editors.
#pragma once
#include "report/report.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

/// Paths below `root` are relative to it, under the base SRCROOT. Columns are
/// counted in UTF-16 code units. Omits refuted findings unless `refuted`; then
/// they are results of kind "pass".
void printSarif(const Report &report, bool refuted, const std::string &root,
                llvm::raw_ostream &out);

} // namespace warplint
