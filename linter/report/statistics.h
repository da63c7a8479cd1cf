// A report to how many findings of what kind there are, and where.
#pragma once
#include "report/report.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

/// Checks, levels, verdicts, and the files and kernels with most findings; each
/// table begins with what there is most of. Refuted findings count only if
/// `refuted`.
void printStatistics(const Report &report, bool refuted,
                     const std::string &root, llvm::raw_ostream &out);
void printStatisticsJson(const Report &report, bool refuted,
                         const std::string &root, llvm::raw_ostream &out);

} // namespace warplint
