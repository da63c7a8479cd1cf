// The report as one self-contained HTML page: findings by file and kernel,
// source lines with their costs, the resources of kernels. report/page/ has its
// markup, style and script; this module writes its data.
#pragma once
#include "report/figures.h"
#include "report/report.h"
#include "report/resources/resources.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

/// The parts of a report beside findings.
struct ReportContext {
  std::vector<Figure> figures; ///< merged
  ResourceReport resources;
};

/// Paths below `root` are relative to it. Omits refuted findings unless
/// `refuted`.
void printPage(const Report &report, const ReportContext &around, bool refuted,
               const std::string &root, llvm::raw_ostream &out);

/// Markdown for a comment on a pull request: a table of findings, then the
/// resources of kernels. Both are cut to the length of a comment.
void printMarkdown(const Report &report, const ReportContext &around,
                   bool refuted, const std::string &root,
                   llvm::raw_ostream &out);

} // namespace warplint
