// The last step of a command: what it prints, and its exit code.
#pragma once
#include "report/page.h"
#include "run/options.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

/// Prints the error. Returns the exit code of a run that failed.
int fail(llvm::Error error, llvm::raw_ostream &err);

/// Prints a report of findings, or writes the file of --write-baseline.
int finish(Report report, const ReportContext &context, const Options &options,
           llvm::raw_ostream &out, llvm::raw_ostream &err, bool terminal);

} // namespace warplint
