// Compiles kernels again without what holds most of their registers: copies of
// a loop's body, an inlined function.
#pragma once
#include "machine/compiled.h"
#include "nvcc/run_nvcc.h"

namespace warplint {

/// Adds `rolled` and `kept` to the kernels whose registers are explained by an
/// unrolled loop or an inlined function, which nvcc compiles again from
/// `shortened`, the file that runNvcc left for `run`. The loops and functions
/// of most kernels are tried. Adds nothing where that fails. `wanted`: a part
/// of the kernels' names; empty: all.
void compileTrials(const NvccRun &run, const std::string &shortened,
                   llvm::StringRef wanted, CompiledUnit &unit);

} // namespace warplint
