// The report as a person reads it.
#pragma once
#include "report/report.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

struct TextOptions {
  bool colour = false;
  bool refuted = false;   ///< print refuted findings as well
  std::string relativeTo; ///< folder that paths are shown relative to
};

void printText(const Report &report, const TextOptions &options,
               llvm::raw_ostream &out);

/// Its findings and what could not be read, as a compiler warns: no totals, no
/// word where there is nothing to say.
void printWarnings(const Report &report, const TextOptions &options,
                   llvm::raw_ostream &out);

/// `path` as it is shown: relative to `folder` if it is below it.
llvm::StringRef shownPath(llvm::StringRef path, llvm::StringRef folder);

} // namespace warplint
