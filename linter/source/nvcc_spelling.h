// Makes Clang accept what nvcc's front end accepts and Clang's does not: the
// tokens are changed on their way from the preprocessor to the parser. No
// location changes.
#pragma once
#include "source/execution_space.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <functional>
#include <map>
#include <set>
#include <string>

namespace warplint {

/// Spellings that Clang wants and nvcc does not: `template` in front of the
/// name in `T::run<4>(a)`, `typename` in front of a dependent type, a call of
/// the operator in `a % b`. Words by the offset of what they precede, by file.
using KeywordsInFile = std::map<unsigned, std::string>;
using MissingKeywords = std::map<std::string, KeywordsInFile>;

/// Adds the `name` of the expression `Scope<T>::name` or `name` that begins at
/// `location`, if it is found there, to `missing`.
void addMissingTemplate(MissingKeywords &missing,
                        const clang::SourceManager &sources,
                        clang::SourceLocation location, llvm::StringRef name);

/// Adds the name that is followed by template arguments in the expression
/// `Scope<T>::name<4>` that begins at `location`, if it is none with a keyword.
void addMissingTemplate(MissingKeywords &missing,
                        const clang::SourceManager &sources,
                        clang::SourceLocation location);

/// Adds `typename` at `location`, where a dependent type begins.
void addMissingTypename(MissingKeywords &missing,
                        const clang::SourceManager &sources,
                        clang::SourceLocation location);

/// Makes `a % b` with the operator at `location` a call, `operator%(a, b)`:
/// Clang finds it ambiguous where built-in operators fit as well, and nvcc
/// prefers a function.
void addOperatorCall(MissingKeywords &missing,
                     const clang::SourceManager &sources,
                     clang::SourceLocation location, clang::SourceRange left,
                     clang::SourceRange right);

/// Returns `text` with the keywords. Lines stay; columns behind a keyword move.
std::string withKeywords(llvm::StringRef text, const KeywordsInFile &keywords);

/// From now on, in the tokens of `preprocessor`:
/// - `%laneid` in an assembly string, which Clang wants as `%%laneid`, is
///   marked; `restoreRegisters` puts it back.
/// - A comma that is missing between operands of assembly, `"r"(a) "r"(b)`, is
///   inserted.
/// - `{A, B}` as the size of a grid or block becomes `dim3{A, B}`.
/// - The definitions in `missing`, which is kept, get their attributes.
/// Calls `see` with each token as it then is.
using SeeToken = std::function<void(const clang::Token &)>;
void acceptNvccSpelling(clang::Preprocessor &preprocessor,
                        const MissingSpaces &missing, SeeToken see);

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

/// nvcc preprocesses into text, where `#pragma unroll` out of a macro,
/// `#define UNROLL #pragma unroll`, is a pragma. Returns `text` with
/// `_WPR("unroll")` in such macros, at the same length: Clang allots a file's
/// places by the size on the disk. Empty if there is nothing to change.
std::string withPragmaOperators(llvm::StringRef text);

/// `_Pragma` under a name that is short enough to replace `#pragma`.
constexpr llvm::StringLiteral pragmaOperatorFlag = "-D_WPR=_Pragma";

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
