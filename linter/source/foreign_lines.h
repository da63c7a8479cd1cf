// Keeps `#line` from leading out of a project: findings are shown with the line
// of the file that they are in, and a source may name any file of its reader's.
#pragma once
#include "clang/Lex/Preprocessor.h"

namespace warplint {

/// Undoes each `#line` (and `# 1 "file"`) that names an existing file which
/// lies neither below the project of the main file nor below the repository of
/// the current folder: places after it are those of the file that is really
/// read. nvcc obeys the directive, so evidence from the compiled code has its
/// line numbers.
void undoForeignLines(clang::Preprocessor &preprocessor);

} // namespace warplint
