// The report for programs, read back (docs/json.md).
#pragma once
#include "report/report.h"
#include "llvm/Support/Error.h"

namespace warplint {

/// Fails, with a sentence, on what printJson has not written, and on another
/// schema.
llvm::Expected<Report> readJson(llvm::StringRef text);

} // namespace warplint
