// Places of AST nodes as in code generation's debug locations.
#pragma once
#include "model/place.h"
#include "clang/AST/ASTContext.h"
#include "clang/Frontend/CompilerInstance.h"

namespace warplint {

/// Returns the place of a location: where the macro is used for text in a
/// macro's body, where it is written for a macro's argument; empty if there is
/// none.
Place astPlace(clang::CompilerInstance &instance,
               clang::SourceLocation location);

/// Returns the macro in whose body a location stands, as the file uses it:
/// "UPDATE(...)"; empty for a macro's argument and outside of macros.
std::string astMacro(const clang::ASTContext &context,
                     clang::SourceLocation location);

/// Returns the source text of an expression, on one line, at most 60
/// characters: within a macro, that of its body.
std::string astText(clang::ASTContext &context, const clang::Expr *expression);

} // namespace warplint
