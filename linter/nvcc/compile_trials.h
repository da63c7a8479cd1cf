// Compiles kernels again without unrolling the loops whose copies hold their
// registers.
#pragma once
#include "machine/compiled.h"
#include "nvcc/run_nvcc.h"

namespace warplint {

/// Adds `rolled` to the kernels whose registers are explained by an unrolled
/// loop, which nvcc compiles again from `shortened`, the file that runNvcc left
/// for `run`. The loops of most kernels are tried. Adds nothing
/// where that fails. `wanted`: a part of the kernels' names; empty: all.
void compileRolled(const NvccRun &run, const std::string &shortened,
                   llvm::StringRef wanted, CompiledUnit &unit);

} // namespace warplint
