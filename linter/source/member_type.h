// The types of a class's members: what it or one of its bases calls one, and
// the integers that one is made of.
#pragma once
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include <utility>
#include <vector>

namespace warplint {

/// The class that `using name = ...` stands for, as seen from `record`; null if
/// there is no such member, or it is no class.
const clang::CXXRecordDecl *memberType(const clang::CXXRecordDecl &record,
                                       llvm::StringRef name);

/// The offsets of the integers in a member of this type at `offset`: one of an
/// integer, several of an array, or of a class with nothing but an array.
/// Empty for other types.
std::vector<std::pair<uint64_t, unsigned>>
integersIn(clang::QualType type, uint64_t offset, clang::ASTContext &context);

} // namespace warplint
