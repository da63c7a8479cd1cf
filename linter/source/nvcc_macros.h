// The macros that nvcc defines for the device pass and Clang does not.
#pragma once
#include "input/toolkit.h"
#include <string>
#include <vector>

namespace warplint {

/// Returns the -D flags of this release of nvcc for device code of
/// `architecture` ("sm_90a", "sm_100f"). `clangs` is the architecture that
/// Clang compiles for: where it is another one, the macros that name features
/// of `architecture` are left out.
std::vector<std::string> nvccMacros(const Toolkit &release,
                                    llvm::StringRef architecture,
                                    llvm::StringRef clangs);

/// Returns true if one of them, of any release, stands in a text.
bool namesNvccMacro(llvm::StringRef text);

} // namespace warplint
