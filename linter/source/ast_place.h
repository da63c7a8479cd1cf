// Places as code generation's debug locations have them.
#pragma once
#include "model/place.h"
#include "clang/AST/ASTContext.h"
#include "clang/Frontend/CompilerInstance.h"

namespace warplint {

/// What a macro's text holds stands where the macro is used, what is given to
/// it where it is written; an empty place if there is none.
Place astPlace(clang::CompilerInstance &instance,
               clang::SourceLocation location);

/// The source's own words for an expression, on one line, at most 60
/// characters.
std::string astText(clang::ASTContext &context, const clang::Expr *expression);

} // namespace warplint
