// Which kernels of a source `--kernel NAME` asks for, before the source is
// read.
#pragma once
#include "machine/compiled.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace warplint {

/// The kernels that may have `wanted` in their name, which the caller tells
/// from the source's own names later: Clang spells template arguments in
/// another way than the mangled names, so that the identifier before them
/// decides alone. All, if `wanted` is empty or no kernel has it in its name.
std::vector<CompiledKernel *> wantedKernels(CompiledUnit &unit,
                                            llvm::StringRef wanted);

} // namespace warplint
