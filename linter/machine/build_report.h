// What ptxas printed while a build compiled a source, to what the source can be
// judged by without compiling it once more.
#pragma once
#include "machine/compiled.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace warplint {

/// Whether a line of a compiler's output is there because of `-Xptxas -v`.
/// What ptxas says unasked (warnings, serialised wgmma) is not.
bool isReportLine(llvm::StringRef line);

/// What is asked of compiled code, in the order of what it costs to know.
enum class Asks {
  Report,       ///< ptxas' numbers, which a build's own compile reports
  SpillLines,   ///< likewise, and where spilled registers are used
  FrameLines,   ///< likewise, and where stack frames are used
  PtxWithLines, ///< the PTX as well
};

/// The numbers of all kernels for all of `architectures` (for the one that was
/// compiled for if there are none), if they answer what is asked: there are no
/// spills, or no stack frames, whose lines a compile with line numbers would
/// tell. Nothing if the report is not whole, or says nothing of one of them.
std::optional<Compiled>
judgedByReport(llvm::StringRef report,
               const std::vector<std::string> &architectures, Asks asked);

} // namespace warplint
