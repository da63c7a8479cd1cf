// The instrument behind `accesses --disagree`: reads each kernel from its
// source and from the PTX that nvcc makes of it, and compares the two.
#pragma once
#include "report/disagree.h"
#include "report/report.h"
#include "run/options.h"
#include "llvm/Support/Error.h"

namespace warplint {

struct DisagreementReport {
  std::vector<Disagreement> disagreements; ///< by source, kernel, shape, line
  Report report; ///< without findings: what could not be read
};
llvm::Expected<DisagreementReport> disagree(const Options &options);

} // namespace warplint
