// Reads the output of `nvcc -Xptxas -v`: usage by kernel and architecture.
#pragma once
#include "machine/compiled.h"
#include "llvm/ADT/StringRef.h"

namespace warplint {

struct PtxasReport {
  /// In the order of the text (per project, where Visual Studio numbers
  /// several); a kernel compiled twice is listed twice. Only kernels with known
  /// stack frame and spills, since those decide. If the line with the rest was
  /// lost or garbled, `registers` is 0, shared memory and barriers are unknown,
  /// and `cutOff` is set.
  std::vector<Usage> usages;
  /// Device functions that were not inlined, for any caller.
  std::vector<CalleeUsage> functions;
  /// The text ends within a kernel's block or lost part of one: its numbers are
  /// incomplete, and a missing kernel does not mean a clean one.
  bool cutOff = false;
};

/// Reads reports of CUDA 8 to 13, mixed with any other output.
PtxasReport readPtxas(llvm::StringRef text);

} // namespace warplint
