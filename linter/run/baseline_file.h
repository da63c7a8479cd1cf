// `--baseline` and `--write-baseline`: the file that records the findings of a
// tree.
#pragma once
#include "report/baseline.h"
#include "report/report.h"

namespace warplint {

llvm::Expected<Baseline> loadBaseline(const std::string &file);

/// Drops findings that the baseline records. Notes name recorded findings that
/// no longer occur. `ran`: the checks that ran on every source.
void dropBaselined(const Baseline &baseline, const std::string &file,
                   const std::set<std::string> &ran, Report &report);

/// Writes the findings that are not refuted.
llvm::Error saveBaseline(const std::string &file, const Report &report);

} // namespace warplint
