// Prints a report as the options request: a format, statistics, a file.
#pragma once
#include "report/page.h"
#include "run/options.h"
#include "llvm/Support/Error.h"

namespace warplint {

/// Prints what could not be read to the error stream, apart from a list on
/// standard output. Leaves the notes out if `quiet`.
void printUnread(const Report &report, llvm::raw_ostream &err,
                 bool quiet = false);

/// True if the format shows a ReportContext.
bool showsContext(const Options &options);

/// Fails with a sentence if the file of `--output` cannot be written. Call
/// before the work starts.
llvm::Error checkOutput(const Options &options);

/// Prints to `out`, or writes the file of `--output` and reports that on `err`.
/// The file is replaced as a whole. `around` may be empty.
llvm::Error printReport(const Report &report, const ReportContext &around,
                        const Options &options, llvm::raw_ostream &out,
                        llvm::raw_ostream &err, bool terminal);

} // namespace warplint
