// Counts the findings of a report by kind and place.
#pragma once
#include "report/report.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

/// Counts by check, level and verdict, and the files and kernels with most
/// findings; each table is sorted by count. Counts refuted findings only if
/// `refuted`.
void printStatistics(const Report &report, bool refuted,
                     const std::string &root, llvm::raw_ostream &out);
void printStatisticsJson(const Report &report, bool refuted,
                         const std::string &root, llvm::raw_ostream &out);

} // namespace warplint
