// Names of the members of structures that are a kernel's parameters.
#pragma once
#include "ir/names.h"
#include "llvm/IR/Instructions.h"
#include <string>

namespace warplint {

/// Returns what a load reads of a parameter that is a structure: "p.size.x",
/// "p.scale[2]". Empty for other loads, where the offset is no constant, where
/// members overlap, and where a class on the way is a lambda or a library's:
/// its members mean nothing to the user.
std::string parameterMember(const llvm::LoadInst &load, const Names &names);

} // namespace warplint
