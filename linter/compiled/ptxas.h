// The text of `nvcc -Xptxas -v` to usage by kernel and architecture.
#pragma once
#include "compiled/compiled.h"
#include "llvm/ADT/StringRef.h"

namespace warplint {

struct PtxasReport {
  std::vector<Usage> usages;
  /// The text stops in the middle of a kernel's block: its numbers are not
  /// complete, and a missing kernel is no clean kernel.
  bool cutOff = false;
};

/// Reads reports of CUDA 8 to 13, with anything else in between.
PtxasReport readPtxas(llvm::StringRef text);

} // namespace warplint
