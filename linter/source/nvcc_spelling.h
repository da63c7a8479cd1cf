// Makes Clang accept what nvcc's front end accepts and Clang's does not: the
// tokens are changed on their way from the preprocessor to the parser. No
// location changes.
#pragma once
#include "source/execution_space.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <set>

namespace warplint {

/// The names in front of which Clang wants `template`, `T::run<4>(a)`, and nvcc
/// does not: file and offset of their spelling, as `spellingOf` gives them.
using MissingTemplates = std::set<std::pair<std::string, unsigned>>;

std::pair<std::string, unsigned> spellingOf(const clang::SourceManager &sources,
                                            clang::SourceLocation location);

/// From now on, in the tokens of `preprocessor`:
/// - `%laneid` in an assembly string, which Clang wants as `%%laneid`, is
///   marked; `restoreRegisters` puts it back.
/// - `{A, B}` as the size of a grid or block becomes `dim3{A, B}`.
/// - The definitions in `missing`, which is kept, get their attributes.
/// - The names in `templates`, which is kept, get the keyword `template`.
void acceptNvccSpelling(clang::Preprocessor &preprocessor,
                        const MissingSpaces &missing,
                        const MissingTemplates &templates);

/// Puts back the special registers' names that `acceptNvccSpelling` marked in
/// assembly strings.
void restoreRegisters(llvm::Module &module);

/// nvcc's lexer takes `k<< <grid, block>> >(a)` for a launch. Returns `text`
/// with `<<<` and `>>>` there, at the same length and with the same columns;
/// empty if there is nothing to change.
std::string withJoinedLaunches(llvm::StringRef text);

/// nvcc ignores the keyword in `s.template ~Session()`, which Clang rejects.
/// Returns `text` with blanks there; empty if there is nothing to change.
std::string withoutTemplateBeforeDestructors(llvm::StringRef text);

/// `half2 = {a, b}` is ambiguous for Clang, since the toolkit's structure of
/// two raw halves can be made of braces as well; nvcc prefers the operator of
/// half2. Returns the toolkit's header with an operator for raw halves that
/// takes no braces, at the same length; empty if there is none in it.
std::string withAssignableHalves(llvm::StringRef header);

/// The files below, each as Clang accepts it.
class FilesForClang : public llvm::vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &path) override;
};

} // namespace warplint
