// Names of the members of structures that are a kernel's parameters.
#pragma once
#include "llvm/IR/Instructions.h"
#include <string>

namespace warplint {

/// Returns what a load reads of a parameter that is a structure: "p.size.x",
/// "p.scale[2]". Empty for other loads, where the offset is no constant, and
/// where members overlap.
std::string parameterMember(const llvm::LoadInst &load);

} // namespace warplint
