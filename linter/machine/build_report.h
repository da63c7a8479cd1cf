// Judges a source by what ptxas printed while a build compiled it, instead of
// compiling it again.
#pragma once
#include "machine/compiled.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace warplint {

/// Returns true for a line that `-Xptxas -v` causes. ptxas prints other lines
/// (warnings, serialised wgmma) without it.
bool isReportLine(llvm::StringRef line);

/// The questions to compiled code, in the order of their cost.
enum class Asks {
  Report,       ///< ptxas' numbers, from the build's own compilation
  SpillLines,   ///< also the lines that use spilled registers
  FrameLines,   ///< also the lines that use stack frames
  PtxWithLines, ///< also the PTX
};

/// Returns true if the numbers of a kernel and of the functions that it calls
/// leave no question open: there is no code whose lines are asked for.
bool isAnsweredBy(const Usage &usage, Asks asked);

/// Returns the numbers of all kernels for all of `architectures` (if empty, for
/// the one compiled for), if they answer the question: there are no spills, or
/// no stack frames, whose lines only a compile with line numbers would tell.
/// Nothing if the report is incomplete or lacks one of them.
std::optional<Compiled>
judgedByReport(llvm::StringRef report,
               const std::vector<std::string> &architectures, Asks asked);

} // namespace warplint
