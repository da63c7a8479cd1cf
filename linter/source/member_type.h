// Types of a class's members: member types of it and its bases, and the
// integers in a type.
#pragma once
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include <utility>
#include <vector>

namespace warplint {

/// Returns the class of `using name = ...` in `record` or its bases; null if
/// there is no such member, or it is no class.
const clang::CXXRecordDecl *memberType(const clang::CXXRecordDecl &record,
                                       llvm::StringRef name);

/// Returns the offsets of the integers in a member of this type at `offset`:
/// one for an integer, several for an array or a class that holds only an
/// array. Empty for other types.
std::vector<std::pair<uint64_t, unsigned>>
integersIn(clang::QualType type, uint64_t offset, clang::ASTContext &context);

} // namespace warplint
