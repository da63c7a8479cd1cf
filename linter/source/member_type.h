// Types of a class's members: member types of it and its bases, such as an
// array's layout, and the integers in a type.
#pragma once
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include <string>
#include <utility>
#include <vector>

namespace warplint {

/// Returns the class of `using name = ...` in `record` or its bases; null if
/// there is no such member, or it is no class.
const clang::CXXRecordDecl *memberType(const clang::CXXRecordDecl &record,
                                       llvm::StringRef name);

/// Returns the type of an array's layout; null if its class has none.
const clang::CXXRecordDecl *layoutOf(const clang::CXXRecordDecl &record);
/// Its name, as users write it; empty if there is none.
std::string layoutNameOf(const clang::CXXRecordDecl &record);

/// Returns the offsets of the integers in a member of this type at `offset`:
/// one for an integer, several for an array or a class that holds only an
/// array. Empty for other types.
std::vector<std::pair<uint64_t, unsigned>>
integersIn(clang::QualType type, uint64_t offset, clang::ASTContext &context);

} // namespace warplint
