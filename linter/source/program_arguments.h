// Tells which host code depends on the arguments that a program is started
// with, or on its environment: a run without them uses the defaults.
#pragma once
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace warplint {

/// Returns true for `argc` of `(int argc, char **argv)`, in main or in a
/// function that it passes both to.
bool isArgumentCount(const clang::ParmVarDecl &parameter);

/// Returns true if an expression reads the program's arguments or its
/// environment, by itself or through the variables that it names.
bool readsProgramArguments(const clang::Stmt *statement);

} // namespace warplint
