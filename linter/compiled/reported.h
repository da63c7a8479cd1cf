// What ptxas printed while a build compiled a source, to what the source can be
// judged by without compiling it once more.
#pragma once
#include "compiled/compiled.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace warplint {

/// Whether a line of a compiler's output is there because of `-Xptxas -v`.
/// What ptxas says unasked (warnings, serialised wgmma) is not.
bool isReportLine(llvm::StringRef line);

/// The numbers of all kernels for all of `architectures` (for the one that was
/// compiled for if there are none), if these are all that a judge asks: no
/// function has a stack frame or spills, whose lines only a compile with line
/// numbers can tell. Nothing if the report is not whole, or says nothing of one
/// of them.
std::optional<Compiled>
judgedByReport(llvm::StringRef report,
               const std::vector<std::string> &architectures);

} // namespace warplint
