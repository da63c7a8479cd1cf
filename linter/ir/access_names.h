// The source's names of what instructions access.
#pragma once
#include "ir/names.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instruction.h"

namespace warplint {

/// Returns the source's name of an access to what the IR calls `object`; none
/// if the AST has none.
std::optional<NamedAccess> nameOfAccess(const llvm::Instruction &instruction,
                                        Operation operation, unsigned bytes,
                                        llvm::StringRef object,
                                        const Names &names);

/// Returns the source text of what a load reads; empty if it has none.
std::string nameOfLoad(const llvm::Instruction &instruction,
                       const Names &names);

/// Returns the place where the address of an index is computed that a
/// library's array gets by reference, as in Kokkos 3: `words(i)` in
/// `b(words(i))`. Null unless that is another place in the same line:
/// elsewhere the address may have been computed for an earlier access.
const llvm::DILocation *indexComputedAt(const llvm::Instruction &instruction,
                                        const Names &names);

} // namespace warplint
