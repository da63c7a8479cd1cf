// The report as one HTML page that needs nothing but itself: findings by file
// and kernel, the lines of the sources with what they cost, what kernels take.
// report/page/ has its markup, style and script; this writes its data.
#pragma once
#include "report/figures.h"
#include "report/report.h"
#include "report/resources/resources.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

/// What is shown beside findings.
struct ReportContext {
  std::vector<Figure> figures; ///< merged
  ResourceReport resources;
};

/// Paths below `root` are relative to it; refuted findings are left out unless
/// `refuted`.
void printPage(const Report &report, const ReportContext &around, bool refuted,
               const std::string &root, llvm::raw_ostream &out);

/// For a comment on a pull request: findings in a table, then what the kernels
/// take; both are cut where a comment would become too long.
void printMarkdown(const Report &report, const ReportContext &around,
                   bool refuted, const std::string &root,
                   llvm::raw_ostream &out);

} // namespace warplint
