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

std::string astMacro(const clang::ASTContext &context,
                     clang::SourceLocation location) {
  const clang::SourceManager &sources = context.getSourceManager();
  bool isInBody = false;
  while (location.isMacroID()) {
    const bool isArgument = sources.isMacroArgExpansion(location);
    isInBody |= !isArgument;
    location = isArgument
                   ? sources.getImmediateSpellingLoc(location)
                   : sources.getImmediateExpansionRange(location).getBegin();
  }
  if (!isInBody)
    return "";
  const unsigned length = clang::Lexer::MeasureTokenLength(
      location, sources, context.getLangOpts());
  const llvm::StringRef name(sources.getCharacterData(location), length);
  const char *behind = name.end();
  while (*behind == ' ')
    ++behind;
  return name.str() + (*behind == '(' ? "(...)" : "");
}

/// Adds the parentheses that a macro's body has around a range of its tokens.
static clang::SourceRange
withParentheses(const clang::ASTContext &context, clang::SourceRange range) {
  const clang::SourceManager &sources = context.getSourceManager();
  clang::SourceLocation begin = range.getBegin(), end = range.getEnd();
  auto isBlank = [](char c) { return c == ' ' || c == '\t'; };
  while (begin.isMacroID() && end.isMacroID() &&
         sources.getFileID(begin) == sources.getFileID(end)) {
    const auto [file, offset] = sources.getDecomposedLoc(begin);
    const unsigned size = sources.getFileIDSize(file);
    const char *first = sources.getCharacterData(begin),
               *last = sources.getCharacterData(end);
    unsigned before = 1;
    while (before <= offset && isBlank(first[-int(before)]))
      ++before;
    unsigned behind = clang::Lexer::MeasureTokenLength(
        sources.getSpellingLoc(end), sources, context.getLangOpts());
    const unsigned left = size - sources.getFileOffset(end);
    while (behind < left && isBlank(last[behind]))
      ++behind;
    if (before > offset || first[-int(before)] != '(' || behind >= left ||
        last[behind] != ')')
      break;
    begin = begin.getLocWithOffset(-int(before));
    end = end.getLocWithOffset(behind);
  }
  return {begin, end};
}

/// Returns the text of an expression that is a part of a macro's body, as the
/// body spells it: a macro of which it is the whole, but for parentheses, has
/// its name there. Empty if only some of it is from the body.
static llvm::StringRef textInMacro(const clang::ASTContext &context,
                                   clang::SourceRange range) {
  const clang::SourceManager &sources = context.getSourceManager();
  clang::SourceLocation begin = range.getBegin(), end = range.getEnd();
  auto lastOf = [&](clang::SourceLocation token) {
    return token.getLocWithOffset(clang::Lexer::MeasureTokenLength(
        sources.getSpellingLoc(token), sources, context.getLangOpts()));
  };
  auto isWhole = [&](clang::SourceRange tokens, clang::SourceRange &call) {
    clang::SourceLocation around, behind;
    if (!tokens.getBegin().isMacroID() || !tokens.getEnd().isMacroID() ||
        sources.getFileID(tokens.getBegin()) !=
            sources.getFileID(tokens.getEnd()) ||
        !sources.isAtStartOfImmediateMacroExpansion(tokens.getBegin(),
                                                    &around) ||
        !sources.isAtEndOfImmediateMacroExpansion(lastOf(tokens.getEnd()),
                                                  &behind))
      return false;
    call = {around, behind};
    return true;
  };
  for (clang::SourceRange call;
       isWhole(withParentheses(context, {begin, end}), call);) {
    begin = call.getBegin();
    end = call.getEnd();
  }
  if (sources.getFileID(begin) != sources.getFileID(end))
    return "";
  return clang::Lexer::getSourceText(
      clang::CharSourceRange::getTokenRange(sources.getSpellingLoc(begin),
                                            sources.getSpellingLoc(end)),
      sources, context.getLangOpts());
}

std::string astText(clang::ASTContext &context, const clang::Expr *expression) {
  constexpr size_t longest = 60;
  const clang::SourceRange tokens = expression->getSourceRange();
  clang::CharSourceRange range = clang::Lexer::makeFileCharRange(
      clang::CharSourceRange::getTokenRange(tokens),
      context.getSourceManager(), context.getLangOpts());
  llvm::StringRef words = clang::Lexer::getSourceText(
      range, context.getSourceManager(), context.getLangOpts());
  std::string printed; // an argument of a macro joined with its body
  if (words.empty() && tokens.getBegin().isMacroID()) {
    words = textInMacro(context, tokens);
    if (words.empty()) {
      llvm::raw_string_ostream out(printed);
      expression->printPretty(out, nullptr, context.getPrintingPolicy());
      words = printed;
    }
  }
  std::string text;
  const char *done = words.begin(); // text up to here is in `text`
  auto add = [&](const char *end) {
    for (; done != end; ++done)
      if (*done == '\\' && done + 1 != end && done[1] == '\n')
        continue; // a macro goes on in the next line
      else if (!llvm::isSpace(*done))
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
