// A class to what it or one of its bases calls a type.
#pragma once
#include "clang/AST/DeclCXX.h"

namespace warplint {

/// The class that `using name = ...` stands for, as seen from `record`; null if
/// there is no such member, or it is no class.
const clang::CXXRecordDecl *memberType(const clang::CXXRecordDecl &record,
                                       llvm::StringRef name);

} // namespace warplint
