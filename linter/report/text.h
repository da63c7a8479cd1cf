// The report as text.
#pragma once
#include "report/report.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

struct TextOptions {
  bool colour = false;
  bool refuted = false;   ///< print refuted findings as well
  std::string relativeTo; ///< paths below this folder are relative to it
  bool quiet = false;     ///< print no totals
};

void printText(const Report &report, const TextOptions &options,
               llvm::raw_ostream &out);

/// Prints findings and unread sources as a compiler prints warnings: no totals,
/// and nothing if there are none.
void printWarnings(const Report &report, const TextOptions &options,
                   llvm::raw_ostream &out);

/// Prints one line for each finding: place, message, check, verdict.
void printConcise(const Report &report, const TextOptions &options,
                  llvm::raw_ostream &out);

/// `path`, relative to `folder` if it is below it.
llvm::StringRef shownPath(llvm::StringRef path, llvm::StringRef folder);

/// The same as text for a terminal. A line may begin with it: it does not look
/// like a workflow command.
std::string printablePath(llvm::StringRef path, llvm::StringRef folder);

} // namespace warplint
