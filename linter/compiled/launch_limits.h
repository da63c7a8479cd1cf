// What holds down the registers of a kernel, out of its PTX and the arguments
// of nvcc, and both without it.
#pragma once
#include "compiled/compiled.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"

namespace warplint {

/// What the directives of each kernel say that has a body in the text, by
/// mangled name.
llvm::StringMap<LaunchLimits> limitsInPtx(llvm::StringRef ptx);

/// The text without .maxntid, .minnctapersm and .maxnreg of these kernels.
std::string withoutLimits(llvm::StringRef ptx,
                          llvm::ArrayRef<std::string> kernels);

/// The value of the last -maxrregcount, for nvcc or by -Xptxas; 0 if there is
/// none.
unsigned registersOfCommand(llvm::ArrayRef<std::string> arguments);

/// What `judgingArguments` gave, to compile the PTX text in `file` instead of
/// the source: without -maxrregcount, and without the language of the source.
std::vector<std::string>
argumentsWithoutLimits(llvm::ArrayRef<std::string> judgingArguments,
                       const std::string &file);

} // namespace warplint
