// `--baseline` and `--write-baseline`: a report and the file that knows what an
// old tree has.
#pragma once
#include "report/baseline.h"
#include "report/report.h"

namespace warplint {

llvm::Expected<Baseline> loadBaseline(const std::string &file);

/// Takes away what the baseline knows, and says in the notes what is gone from
/// it. `ran`: the checks that looked.
void dropBaselined(const Baseline &baseline, const std::string &file,
                   const std::set<std::string> &ran, Report &report);

/// Writes the findings that are not refuted.
llvm::Error saveBaseline(const std::string &file, const Report &report);

} // namespace warplint
