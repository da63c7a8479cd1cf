// The report as JSON; docs/json.md is its schema.
#pragma once
#include "report/report.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

/// Increases when a field changes its meaning or is removed, not when a field
/// is added.
inline constexpr int jsonSchema = 1;

/// Omits refuted findings unless `refuted`.
void printJson(const Report &report, bool refuted, llvm::raw_ostream &out);

} // namespace warplint
