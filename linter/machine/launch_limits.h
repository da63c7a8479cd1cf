// PTX to the limits that hold down the registers of its kernels, and the same
// PTX without them.
#pragma once
#include "machine/compiled.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"

namespace warplint {

/// What the directives of each kernel say that has a body in the text, by
/// mangled name.
llvm::StringMap<LaunchLimits> limitsInPtx(llvm::StringRef ptx);

/// The text without .maxntid, .minnctapersm and .maxnreg of these kernels.
std::string withoutLimits(llvm::StringRef ptx,
                          llvm::ArrayRef<std::string> kernels);

} // namespace warplint
