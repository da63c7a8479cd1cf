// Sources to the list of what their lines execute, from the source and from the
// machine code that nvcc makes of it.
#pragma once
#include "report/operations.h"
#include "report/report.h"
#include "run/options.h"
#include "llvm/Support/Error.h"

namespace warplint {

struct OperationReport {
  std::vector<OperationRow> rows; ///< by source, kernel, file and line
  Report report;                  ///< without findings: what could not be read
};
llvm::Expected<OperationReport> operations(const Options &options);

} // namespace warplint
