// Reads from PTX the limits on the registers of its kernels, and removes them.
#pragma once
#include "machine/compiled.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"

namespace warplint {

/// The limits that directives set, of each kernel with a body, by mangled name.
llvm::StringMap<LaunchLimits> limitsInPtx(llvm::StringRef ptx);

/// The text with .maxntid, .minnctapersm and .maxnreg of these kernels replaced
/// by blanks.
std::string withoutLimits(llvm::StringRef ptx,
                          llvm::ArrayRef<std::string> kernels);

} // namespace warplint
