#include "commands/formats.h"
#include "report/json.h"
#include "report/sarif.h"
#include "report/services.h"
#include "report/text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace warplint {
namespace {

void textOf(const FindingsToPrint &findings, raw_ostream &out) {
  printText(findings.report,
            {findings.colour, findings.refuted, findings.root, findings.quiet},
            out);
}

void conciseOf(const FindingsToPrint &findings, raw_ostream &out) {
  printConcise(
      findings.report,
      {findings.colour, findings.refuted, findings.root, findings.quiet}, out);
}

void jsonOf(const FindingsToPrint &findings, raw_ostream &out) {
  printJson(findings.report, findings.refuted, out);
}

template <auto print>
void plain(const FindingsToPrint &findings, raw_ostream &out) {
  print(findings.report, findings.refuted, findings.root, out);
}

template <auto print>
void withContext(const FindingsToPrint &findings, raw_ostream &out) {
  print(findings.report, findings.context, findings.refuted, findings.root,
        out);
}

constexpr unsigned everything = PrintsFindings | PrintsStatistics |
                                PrintsAccesses | PrintsSummary |
                                PrintsResources | PrintsComparison;

const FormatRow rows[] = {
    {Format::Text, everything, textOf},
    {Format::Json, everything, jsonOf},
    {Format::Csv, PrintsAccesses | PrintsResources, nullptr},
    {{"concise"}, PrintsFindings, conciseOf},
    {{"sarif"}, PrintsFindings, plain<printSarif>},
    {{"github"}, PrintsFindings, plain<printGithub>},
    {{"gitlab"},
     PrintsFindings,
     plain<printGitlab>,
     /*showsContext=*/false,
     /*omitsUnread=*/true},
    {{"junit"}, PrintsFindings, plain<printJunit>},
    {Format::Markdown, PrintsFindings | PrintsResources | PrintsComparison,
     withContext<printMarkdown>,
     /*showsContext=*/true},
    {{"html"},
     PrintsFindings,
     withContext<printPage>,
     /*showsContext=*/true},
};

} // namespace

const FormatRow &rowOf(const Format &format) {
  return *find_if(rows,
                  [&](const FormatRow &row) { return row.format == format; });
}

Printed printedBy(const Options &options) {
  switch (options.command) {
  case CommandName::Accesses:
    return options.accesses.summary ? PrintsSummary : PrintsAccesses;
  case CommandName::Operations:
  case CommandName::Cost:
    return PrintsAccesses;
  case CommandName::Measured:
  case CommandName::Registers:
    return PrintsSummary;
  case CommandName::Resources:
    return options.resources.ratchet.empty() && options.resources.update.empty()
               ? PrintsResources
               : PrintsComparison;
  case CommandName::Diff:
    return PrintsComparison;
  default:
    return options.output.statistics ? PrintsStatistics : PrintsFindings;
  }
}

std::vector<std::string> formatNames(Printed printed) {
  std::vector<std::string> names;
  for (const FormatRow &row : rows)
    if (row.printed & printed)
      names.emplace_back(row.format.name);
  return names;
}

} // namespace warplint
