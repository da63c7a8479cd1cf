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
  const char *done = words.begin(); // text up to here is in `text`
  auto add = [&](const char *end) {
    for (; done != end; ++done)
      if (!llvm::isSpace(*done))
        text += *done;
      else if (!text.empty() && text.back() != ' ')
        text += ' ';
  };
  if (words.contains("//") || words.contains("/*")) {
    const std::string whole = words.str(); // the lexer wants a zero at its end
    clang::Lexer lexer(clang::SourceLocation(), context.getLangOpts(),
                       whole.data(), whole.data(), whole.data() + whole.size());
    lexer.SetCommentRetentionState(true);
    for (clang::Token token;
         !lexer.LexFromRawLexer(token) || token.isNot(clang::tok::eof);) {
      if (token.isNot(clang::tok::comment))
        continue;
      const char *end = words.begin() + lexer.getCurrentBufferOffset();
      add(end - token.getLength());
      done = end;
    }
  }
  add(words.end());
  if (text.size() > longest)
    text = text.substr(0, longest - 3) + "...";
  return text;
}

} // namespace warplint
