// Lists what decides about nvcc's output beside the files that its preprocessor
// names: its own programs, and headers that it looked for and did not find.
#pragma once
#include "input/toolkit.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace warplint {

/// `read`: the files that the preprocessor names. Returns absolute paths, of
/// files that need not exist: nvcc, its wrapper, what it starts and their
/// settings, the host compiler, and what `__has_include` in one of the
/// project's files asks for.
std::vector<std::string>
alsoDecides(llvm::ArrayRef<std::string> read,
            llvm::ArrayRef<std::string> judgingArguments,
            const Toolkit &toolkit, const std::string &directory);

} // namespace warplint
