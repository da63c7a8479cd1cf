// The pages of the checks.
#pragma once
#include "run/options.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

/// One line per check: id, level, summary.
void printChecks(Format format, llvm::raw_ostream &out);

/// A check's page. Fails if there is no check of that id.
llvm::Error printExplanation(const std::string &id, llvm::raw_ostream &out);

} // namespace warplint
