// The text of `nvcc -Xptxas -v` to usage by kernel and architecture.
#pragma once
#include "machine/compiled.h"
#include "llvm/ADT/StringRef.h"

namespace warplint {

struct PtxasReport {
  /// In the order of the text (of each project, where Visual Studio numbers
  /// several); a kernel that was compiled twice stands twice.
  /// Only kernels whose stack frame and spills are known, since those decide.
  /// `registers` is 0, and shared memory and barriers are not known, if the
  /// text lost or mixed up the line that tells them; `cutOff` is set then.
  std::vector<Usage> usages;
  /// Device functions that were not inlined, whatever calls them.
  std::vector<CalleeUsage> functions;
  /// The text stops in the middle of a kernel's block, or lost a part of one:
  /// its numbers are not complete, and a missing kernel is no clean kernel.
  bool cutOff = false;
};

/// Reads reports of CUDA 8 to 13, with anything else in between.
PtxasReport readPtxas(llvm::StringRef text);

} // namespace warplint
