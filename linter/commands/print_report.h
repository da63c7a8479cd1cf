// A report to what the options ask for: a format, statistics, a file.
#pragma once
#include "report/page.h"
#include "run/options.h"
#include "llvm/Support/Error.h"

namespace warplint {

/// What could not be read, where it does not mix with a list on standard
/// output.
void printUnread(const Report &report, llvm::raw_ostream &err);

/// Whether the format shows what stands beside findings.
bool showsContext(const Options &options);

/// A sentence if `--output` names what cannot be written; asked before the work
/// and not after it.
llvm::Error checkOutput(const Options &options);

/// Prints to `out`, or writes the file of `--output` and says so on `err`; a
/// file is there whole or as it was. `around` may be empty.
llvm::Error printReport(const Report &report, const ReportContext &around,
                        const Options &options, llvm::raw_ostream &out,
                        llvm::raw_ostream &err, bool terminal);

} // namespace warplint
