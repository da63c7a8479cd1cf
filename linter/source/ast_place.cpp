#include "source/ast_place.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace warplint {

Place astPlace(clang::CompilerInstance &instance,
               clang::SourceLocation location) {
  const clang::SourceManager &sources = instance.getSourceManager();
  clang::PresumedLoc presumed =
      sources.getPresumedLoc(sources.getFileLoc(location));
  if (presumed.isInvalid())
    return {};
  llvm::SmallString<256> path(presumed.getFilename());
  instance.getVirtualFileSystem().makeAbsolute(path);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return {path.str().str(), presumed.getLine(), presumed.getColumn()};
}

std::string astText(clang::ASTContext &context, const clang::Expr *expression) {
  constexpr size_t longest = 60;
  clang::CharSourceRange range = clang::Lexer::makeFileCharRange(
      clang::CharSourceRange::getTokenRange(expression->getSourceRange()),
      context.getSourceManager(), context.getLangOpts());
  llvm::StringRef words = clang::Lexer::getSourceText(
      range, context.getSourceManager(), context.getLangOpts());
  std::string text;
  for (char c : words)
    if (!llvm::isSpace(c))
      text += c;
    else if (!text.empty() && text.back() != ' ')
      text += ' ';
  if (text.size() > longest)
    text = text.substr(0, longest - 3) + "...";
  return text;
}

} // namespace warplint
