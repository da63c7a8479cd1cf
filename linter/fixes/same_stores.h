// Two versions of a source's PTX to whether their kernels store the same.
#pragma once
#include "model/model.h"
#include "llvm/ADT/ArrayRef.h"

namespace warplint {

enum class Sameness {
  Same, ///< the same bytes at the same addresses, in all runs; or, if they are
        ///< rounded, numbers that are close
  Differs,
  Unknown ///< something is not executed, or nothing was stored
};

struct StoreComparison {
  Sameness result = Sameness::Same;
  std::string why; ///< a sentence, unless they are the same without a run
};

/// The compiler puts a hash of the text into names of one file alone, so the
/// two versions may name a kernel differently.
struct ComparedKernel {
  std::string before, after; ///< its names in the PTX
  Shape block;
  /// No launch says that blocks are so: code for other blocks may leave its
  /// arrays, and a difference says nothing.
  bool isAssumed = false;
};

/// Runs each kernel that differs in IR on several inputs, with loops of no, one
/// and several iterations. `isRounded`: floating point may be rounded in
/// another way, so that stored numbers may differ by a thousandth.
StoreComparison compareStores(llvm::StringRef before, llvm::StringRef after,
                              llvm::ArrayRef<ComparedKernel> kernels,
                              bool isRounded = false);

} // namespace warplint
