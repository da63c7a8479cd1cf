// The table of output formats. A new format of findings is a file in report/
// and a row in formats.cpp.
#pragma once
#include "report/page.h"
#include "run/options.h"

namespace warplint {

/// The kinds of output of commands, as bits: each takes formats of its own.
enum Printed : unsigned {
  PrintsFindings = 1,
  PrintsStatistics = 2,
  PrintsAccesses = 4,
  PrintsSummary = 8,
  PrintsResources = 16,
  PrintsComparison = 32, ///< of resources: diff, --ratchet, --update
};

/// The output that options ask a command for.
Printed printedBy(const Options &options);

struct FindingsToPrint {
  const Report &report;
  const ReportContext &context;
  bool refuted = false; ///< print refuted findings as well
  bool colour = false;
  std::string root;   ///< paths below it are relative to it
  bool quiet = false; ///< --quiet
};

struct FormatRow {
  Format format;
  unsigned printed; ///< of `Printed`
  /// Null if the format is not for findings.
  void (*print)(const FindingsToPrint &findings, llvm::raw_ostream &out);
  bool showsContext = false; ///< `print` uses the context
  bool omitsUnread = false;  ///< no place for what could not be read
};

/// The row of a format, which has one.
const FormatRow &rowOf(const Format &format);

/// The names of the formats in the order of the table.
std::vector<std::string> formatNames(Printed printed);

} // namespace warplint
