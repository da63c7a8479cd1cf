// The report for programs; docs/json.md is its schema.
#pragma once
#include "report/report.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

/// Refuted findings are left out unless `refuted`.
void printJson(const Report &report, bool refuted, llvm::raw_ostream &out);

} // namespace warplint
