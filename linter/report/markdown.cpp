#include "report/closing.h"
#include "report/evidence.h"
#include "report/fields.h"
#include "report/page.h"
#include "report/resources/resource_table.h"
#include "report/suggestions.h"
#include "report/text.h"

using namespace llvm;

namespace warplint {

/// GitHub limits comments to 65536 characters; a row is rarely longer than 500.
static constexpr size_t rowsShown = 50;

static std::string place(const Finding &finding, StringRef root) {
  std::string text = shownPath(finding.place.file, root).str();
  return text +
         (finding.place.line ? ":" + std::to_string(finding.place.line) : "");
}

static void printMore(size_t all, StringRef what, raw_ostream &out) {
  if (all > rowsShown)
    out << "\nand " << all - rowsShown << " more " << what << '\n';
}

static void printFindings(const std::vector<const Finding *> &findings,
                          StringRef root, raw_ostream &out) {
  if (findings.empty())
    return;
  out << "\n| place | finding | verdict | check |\n"
         "| --- | --- | --- | --- |\n";
  for (const Finding *finding : ArrayRef(findings).take_front(rowsShown)) {
    std::string words = markdownCell(utf8(finding->message));
    for (const std::string &line : evidenceLines(*finding))
      words += "<br>" + markdownCell(utf8(line));
    out << "| " << markdownCell(utf8(place(*finding, root))) << " | " << words
        << " | " << spelling(finding->verdict()) << " | "
        << markdownCell(finding->check) << " |\n";
  }
  printMore(findings.size(), "findings", out);
}

void printMarkdown(const Report &report, const ReportContext &around,
                   bool refuted, const std::string &root, raw_ostream &out) {
  std::vector<const Finding *> findings;
  for (const Finding &finding : report.findings)
    if (refuted || finding.verdict() != Verdict::Refuted)
      findings.push_back(&finding);
  out << "### warplint: " << markdownCell(closingLine(report, refuted)) << '\n';
  printFindings(findings, root, out);
  printSuggestions(findings, report.buffers, root, out);

  std::vector<std::string> asides;
  for (const UnreadSource &unread : report.unread)
    asides.push_back(
        shownPath(unread.source, root).str() +
        (unread.anyKernelRead ? " was read in part: " : " was not read: ") +
        unread.firstError);
  for (const UnreadKernel &kernel : report.unreadKernels)
    asides.push_back("kernel '" + kernel.name +
                     "' was not read: " + kernel.why);
  for (const std::string &note : report.notes)
    asides.push_back(note);
  if (!asides.empty())
    out << '\n';
  for (const std::string &aside : ArrayRef(asides).take_front(rowsShown))
    out << "- " << markdownCell(utf8(aside)) << '\n';
  printMore(asides.size(), "notes", out);

  if (around.resources.rows.empty())
    return;
  ResourceReport resources = around.resources;
  const size_t all = resources.rows.size();
  out << "\n<details><summary>resources of the kernels</summary>\n\n";
  if (all > rowsShown)
    resources.rows.resize(rowsShown); // the most costly ones
  printResourceMarkdown(resources, out);
  printMore(all, "kernels", out);
  out << "\n</details>\n";
}

} // namespace warplint
