// The instrument behind `accesses --summary`: counts the accesses of all
// kernels, and compares them with the memory expressions of the source.
#pragma once
#include "report/summary.h"
#include "run/options.h"
#include "llvm/Support/Error.h"

namespace warplint {

struct SummaryReport {
  AccessSummary summary;
  Report report; ///< without findings: what could not be read
};
/// Keeps only the sums of each kernel, so that a large tree fits in memory.
llvm::Expected<SummaryReport> summarise(const Options &options);

} // namespace warplint
