// Reads the JSON report (docs/json.md).
#pragma once
#include "report/report.h"
#include "llvm/Support/Error.h"

namespace warplint {

/// Fails with a sentence if printJson did not write the text, or with another
/// schema.
llvm::Expected<Report> readJson(llvm::StringRef text);

} // namespace warplint
