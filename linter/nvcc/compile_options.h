// Compiles kernels again with the conditions fixed that their arguments decide.
#pragma once
#include "machine/compiled.h"
#include "os/scratch.h"
#include "llvm/ADT/ArrayRef.h"
#include <chrono>
#include <string>

namespace warplint {

/// Adds `options` to the kernels that take more registers than let all warps
/// into an SM. ptxas alone runs, on the changed PTX. Adds nothing where that
/// fails. `wanted`: a part of their names; empty: all.
void compileOptions(CompiledUnit &unit, llvm::StringRef wanted,
                    llvm::ArrayRef<std::string> judgingArguments,
                    Scratch &scratch, const std::string &directory,
                    std::chrono::milliseconds limit);

} // namespace warplint
