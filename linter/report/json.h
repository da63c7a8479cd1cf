// The report for programs; docs/json.md is its schema.
#pragma once
#include "report/report.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

/// Raised when a field changes its meaning or goes; a new one does not raise
/// it.
inline constexpr int jsonSchema = 1;

/// Refuted findings are left out unless `refuted`.
void printJson(const Report &report, bool refuted, llvm::raw_ostream &out);

} // namespace warplint
