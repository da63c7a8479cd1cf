#include "source/nvcc_conditions.h"
#include "source/nvcc_macros.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace warplint {

bool NvccConditions::asks(llvm::ArrayRef<llvm::StringRef> words) const {
  return llvm::any_of(words, [&](llvm::StringRef word) {
    return namesNvccMacro(word) || names_.count(word.str());
  });
}

/// `words`: "ifdef", "__NVCC__".
void NvccConditions::readDirective(llvm::ArrayRef<llvm::StringRef> words) {
  if (words.empty())
    return;
  const llvm::StringRef name = words[0];
  words = words.drop_front();
  const bool isDecided = !open_.empty() && open_.back();
  if (name == "if" || name == "ifdef" || name == "ifndef")
    open_.push_back(isDecided || asks(words));
  else if (name.starts_with("el") && !open_.empty()) // 'elif', 'else'
    open_.back() = isDecided || asks(words);
  else if (name == "endif" && !open_.empty())
    open_.pop_back();
  else if (name == "define" && !words.empty() &&
           (isDecided || asks(words.drop_front())))
    names_.insert(words[0].str());
  else if (name == "undef" && !words.empty() && isDecided)
    names_.insert(words[0].str());
  else if (name.starts_with("include"))
    includes_ |= isDecided;
  else if (name == "error")
    code_ |= isDecided;
}

void NvccConditions::read(llvm::StringRef text) {
  const std::string copy = text.str(); // the lexer wants a zero at its end
  clang::LangOptions language;
  language.CPlusPlus = true;
  language.LineComment = true;
  clang::Lexer lexer(clang::SourceLocation(), language, copy.data(),
                     copy.data(), copy.data() + copy.size());
  auto wordOf = [&](const clang::Token &token) {
    return llvm::StringRef(copy).substr(
        lexer.getCurrentBufferOffset() - token.getLength(), token.getLength());
  };
  clang::Token token;
  lexer.LexFromRawLexer(token);
  while (token.isNot(clang::tok::eof)) {
    if (!token.is(clang::tok::hash) || !token.isAtStartOfLine()) {
      code_ |= !open_.empty() && open_.back();
      lexer.LexFromRawLexer(token);
      continue;
    }
    std::vector<llvm::StringRef> words;
    lexer.LexFromRawLexer(token);
    for (; token.isNot(clang::tok::eof) && !token.isAtStartOfLine();
         lexer.LexFromRawLexer(token))
      words.push_back(wordOf(token));
    readDirective(words);
  }
}

/// Calls `read` with the texts of the user's files that name one of nvcc's
/// macros, in the order in which they were read, until it returns false.
static void
forUsersFiles(const clang::SourceManager &sources,
              llvm::function_ref<bool(clang::FileID, llvm::StringRef)> read) {
  for (unsigned i = 0; i < sources.local_sloc_entry_size(); ++i) {
    const clang::SrcMgr::SLocEntry &entry = sources.getLocalSLocEntry(i);
    if (!entry.isFile() || !entry.getFile().getContentCache().OrigEntry)
      continue;
    const clang::FileID file = sources.getFileID(
        clang::SourceLocation::getFromRawEncoding(entry.getOffset()));
    // A header may declare itself a system header in its first lines.
    if (sources.isInSystemHeader(sources.getLocForEndOfFile(file)))
      continue;
    const auto text = sources.getBufferDataOrNone(file);
    if (text && namesNvccMacro(*text) && !read(file, *text))
      return;
  }
}

bool nvccDecides(const clang::SourceManager &sources,
                 clang::SourceLocation place) {
  std::vector<std::pair<clang::FileID, unsigned>> chain; // innermost first
  for (place = sources.getExpansionLoc(place); place.isValid();
       place = sources.getIncludeLoc(sources.getFileID(place)))
    chain.push_back(sources.getDecomposedLoc(place));
  NvccConditions others;
  forUsersFiles(sources, [&](clang::FileID file, llvm::StringRef text) {
    if (llvm::none_of(chain, [&](auto &each) { return each.first == file; }))
      others.read(text);
    return true;
  });
  NvccConditions conditions(others.names());
  for (const auto &[file, offset] : llvm::reverse(chain))
    conditions.read(sources.getBufferData(file).take_front(offset));
  return conditions.decideWhatFollows();
}

bool nvccDecidesInUsersFiles(const clang::SourceManager &sources) {
  bool decides = false;
  forUsersFiles(sources, [&](clang::FileID, llvm::StringRef text) {
    NvccConditions conditions;
    conditions.read(text);
    decides = conditions.decideAnything();
    return !decides;
  });
  return decides;
}

} // namespace warplint
