#include "source/nvcc_spelling.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/Path.h"

namespace warplint {

namespace {

/// Stands for the `%` of a register's name between lexer and IR. As long as
/// what it replaces, so that Clang finds the other operands' places.
constexpr char marker = '\x01';

/// Returns the offsets of the `%` in `text` that begin a register's name:
/// `%laneid`, not `%0`, `%[name]`, `%%tid.x`, `%{`, nor `%h1` (operand 1 with a
/// modifier).
std::vector<size_t> registersIn(llvm::StringRef text) {
  std::vector<size_t> found;
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] != '%')
      continue;
    const char first = text[i + 1];
    const char second = i + 2 < text.size() ? text[i + 2] : '\0';
    if (first == '%')
      ++i;
    else if (first == '_' ||
             (llvm::isAlpha(first) && !llvm::isDigit(second) && second != '['))
      found.push_back(i);
  }
  return found;
}

class Watcher {
public:
  Watcher(clang::Preprocessor &preprocessor, const MissingSpaces &missing)
      : preprocessor_(preprocessor), missing_(missing) {}

  void see(clang::Token &token) {
    if (!taken_)
      taken_ = &token;
    if (std::vector<clang::Token> spaces =
            spacesBefore(missing_, token, preprocessor_);
        !spaces.empty()) {
      insertBefore(token, spaces);
      return;
    }
    watchAssembly(token);
    watchLaunch(token);
  }

private:
  /// A word at the place of `at`.
  clang::Token keyword(llvm::StringRef name, clang::tok::TokenKind kind,
                       const clang::Token &at) {
    clang::Token word;
    word.startToken();
    word.setKind(kind);
    word.setLocation(at.getLocation());
    word.setIdentifierInfo(preprocessor_.getIdentifierInfo(name));
    return word;
  }

  void watchAssembly(clang::Token &token) {
    if (token.is(clang::tok::kw_asm))
      assembly_ = Assembly::Keyword;
    else if (assembly_ == Assembly::Keyword &&
             token.isOneOf(clang::tok::kw_volatile, clang::tok::kw_inline,
                           clang::tok::kw_goto))
      return;
    else if (assembly_ == Assembly::Keyword && token.is(clang::tok::l_paren))
      assembly_ = Assembly::Text;
    else if (assembly_ == Assembly::Text &&
             clang::tok::isStringLiteral(token.getKind()))
      mark(token);
    else if (assembly_ == Assembly::Text || assembly_ == Assembly::Operands)
      watchOperand(token);
    else
      assembly_ = Assembly::None;
  }

  /// Puts the comma between the operands of `"r"(a) "r"(b)`.
  void watchOperand(clang::Token &token) {
    if (std::exchange(assembly_, Assembly::Operands) == Assembly::Text)
      operandNesting_ = 0;
    const bool endsOperand = std::exchange(endsOperand_, false);
    if (token.is(clang::tok::l_paren))
      ++operandNesting_;
    else if (token.is(clang::tok::r_paren))
      endsOperand_ = --operandNesting_ == 0;
    else if (endsOperand && token.is(clang::tok::string_literal))
      insertBefore(token, comma(token));
    if (operandNesting_ < 0 || token.isOneOf(clang::tok::semi, clang::tok::eof))
      assembly_ = Assembly::None;
  }

  static clang::Token comma(const clang::Token &at) {
    clang::Token comma;
    comma.startToken();
    comma.setKind(clang::tok::comma);
    comma.setLocation(at.getLocation());
    return comma;
  }

  void mark(clang::Token &token) {
    // Trigraphs and continued lines: the text is not the spelling.
    if (!token.getLiteralData() || token.needsCleaning())
      return;
    llvm::StringRef text(token.getLiteralData(), token.getLength());
    const std::vector<size_t> registers = registersIn(text);
    if (registers.empty())
      return;
    llvm::MutableArrayRef<char> copy(
        preprocessor_.getPreprocessorAllocator().Allocate<char>(text.size() +
                                                                1),
        text.size() + 1);
    llvm::copy(text, copy.begin());
    copy.back() = '\0';
    for (size_t at : registers)
      copy[at] = marker;
    token.setLiteralData(copy.data());
  }

  void watchLaunch(clang::Token &token) {
    if (token.is(clang::tok::lesslessless)) {
      nesting_ = 0;
      inLaunch_ = beginsArgument_ = true;
      return;
    }
    if (!inLaunch_)
      return;
    const bool begins = std::exchange(beginsArgument_, false);
    switch (token.getKind()) {
    case clang::tok::l_brace:
      if (begins)
        insertBefore(token, keyword("dim3", clang::tok::identifier, token));
      ++nesting_;
      break;
    case clang::tok::l_paren:
    case clang::tok::l_square:
      ++nesting_;
      break;
    case clang::tok::r_brace:
    case clang::tok::r_paren:
    case clang::tok::r_square:
      inLaunch_ = --nesting_ >= 0;
      break;
    case clang::tok::comma:
      beginsArgument_ = nesting_ == 0;
      break;
    case clang::tok::greatergreatergreater:
    case clang::tok::semi:
    case clang::tok::eof:
      inLaunch_ = false;
      break;
    default:
      break;
    }
  }

  /// The parser either takes `token`, then the inserted ones stand in for it
  /// and it comes again; or it looks ahead, then they are put in front.
  void insertBefore(clang::Token &token,
                    llvm::ArrayRef<clang::Token> inserted) {
    const bool isTaken = &token == taken_;
    if (isTaken) {
      preprocessor_.EnterToken(token, /*IsReinject=*/true);
      token = inserted.front();
      inserted = inserted.drop_front();
    }
    for (const clang::Token &next : llvm::reverse(inserted))
      preprocessor_.EnterToken(next, /*IsReinject=*/true);
  }

  clang::Preprocessor &preprocessor_;
  const MissingSpaces &missing_;
  /// Where the parser keeps the token that it is at: the first one goes there.
  const clang::Token *taken_ = nullptr;
  enum class Assembly {
    None,
    Keyword,
    Text,
    Operands
  } assembly_ = Assembly::None;
  int operandNesting_ = 0;   ///< of parentheses in the operands of assembly
  bool endsOperand_ = false; ///< the last token
  bool inLaunch_ = false, beginsArgument_ = false;
  int nesting_ = 0; ///< of brackets in the launch's configuration
};

/// Empty if there is nothing to change.
std::string spelledForClang(llvm::StringRef text) {
  std::string result;
  for (auto *change : {withJoinedLaunches, withoutTemplateBeforeDestructors,
                       withPragmaOperators})
    if (std::string changed =
            change(result.empty() ? text : llvm::StringRef(result));
        !changed.empty())
      result = std::move(changed);
  return result;
}

class SpelledFile : public llvm::vfs::File {
public:
  explicit SpelledFile(std::unique_ptr<llvm::vfs::File> file)
      : file_(std::move(file)) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override { return file_->status(); }
  llvm::ErrorOr<std::string> getName() override { return file_->getName(); }
  std::error_code close() override { return file_->close(); }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
  getBuffer(const llvm::Twine &name, int64_t size, bool needsTerminator,
            bool isVolatile) override {
    auto buffer = file_->getBuffer(name, size, needsTerminator, isVolatile);
    // A precompiled header is no text, and has many megabytes.
    if (!buffer || (*buffer)->getBuffer().starts_with("CPCH"))
      return buffer;
    const llvm::StringRef file =
        llvm::sys::path::filename((*buffer)->getBufferIdentifier());
    // Clang's driver reads the toolkit's release out of it for every source;
    // searching its megabyte took a tenth of a small source's time.
    if (file == "cuda.h")
      return buffer;
    const std::string text =
        file.starts_with("cuda_fp16.h") || file.starts_with("cuda_bf16.h")
            ? withAssignableHalves((*buffer)->getBuffer())
            : spelledForClang((*buffer)->getBuffer());
    if (text.empty())
      return buffer;
    return llvm::MemoryBuffer::getMemBufferCopy(
        text, (*buffer)->getBufferIdentifier());
  }

private:
  std::unique_ptr<llvm::vfs::File> file_;
};

} // namespace

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
FilesForClang::openFileForRead(const llvm::Twine &path) {
  auto file = ProxyFileSystem::openFileForRead(path);
  if (!file)
    return file;
  return std::make_unique<SpelledFile>(std::move(*file));
}

/// Shows `found` the tokens from `location` to the end of the statement, and
/// adds `template` at the first place that it returns.
static void
addTemplateWhere(MissingKeywords &missing, const clang::SourceManager &sources,
                 clang::SourceLocation location,
                 llvm::function_ref<
                     std::optional<clang::SourceLocation>(const clang::Token &)>
                     found) {
  if (location.isInvalid())
    return;
  auto [file, offset] = sources.getDecomposedSpellingLoc(location);
  clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
  if (!entry)
    return;
  const llvm::StringRef text = sources.getBufferData(file);
  clang::LangOptions cpp;
  cpp.CPlusPlus = true;
  clang::Lexer lexer(sources.getLocForStartOfFile(file), cpp, text.begin(),
                     text.begin() + offset, text.end());
  clang::Token token;
  while (!lexer.LexFromRawLexer(token) &&
         !token.isOneOf(clang::tok::semi, clang::tok::eof))
    if (const auto name = found(token)) {
      missing[entry->getName().str()].try_emplace(sources.getFileOffset(*name),
                                                  "template");
      return;
    }
}

void addMissingTemplate(MissingKeywords &missing,
                        const clang::SourceManager &sources,
                        clang::SourceLocation location, llvm::StringRef name) {
  bool mayBeName = true;
  addTemplateWhere(
      missing, sources, location,
      [&](const clang::Token &token) -> std::optional<clang::SourceLocation> {
        const bool isName = mayBeName && token.is(clang::tok::raw_identifier) &&
                            token.getRawIdentifier() == name;
        mayBeName = token.is(clang::tok::coloncolon);
        return isName ? std::optional(token.getLocation()) : std::nullopt;
      });
}

/// Returns true if `.`, `->` or `::` stands before `location`.
static bool isMemberName(const clang::SourceManager &sources,
                         clang::SourceLocation location) {
  if (location.isInvalid())
    return false;
  auto [file, offset] = sources.getDecomposedSpellingLoc(location);
  const llvm::StringRef before =
      sources.getBufferData(file).take_front(offset).rtrim();
  return before.ends_with(".") || before.ends_with("->") ||
         before.ends_with("::");
}

void addMissingTemplate(MissingKeywords &missing,
                        const clang::SourceManager &sources,
                        clang::SourceLocation location) {
  // The tokens of `> :: name <` so far; `location` may be that of a member's
  // name.
  unsigned seen = isMemberName(sources, location) ? 2 : 0;
  clang::SourceLocation name;
  addTemplateWhere(
      missing, sources, location,
      [&](const clang::Token &token) -> std::optional<clang::SourceLocation> {
        if (token.isOneOf(clang::tok::greater, clang::tok::greatergreater)) {
          seen = 1;
        } else if (seen == 1 && token.is(clang::tok::coloncolon)) {
          seen = 2;
        } else if (seen == 2 && token.is(clang::tok::raw_identifier) &&
                   token.getRawIdentifier() != "template") {
          seen = 3;
          name = token.getLocation();
        } else if (seen == 3 && token.is(clang::tok::less)) {
          return name;
        } else {
          seen = 0;
        }
        return std::nullopt;
      });
}

void addMissingTypename(MissingKeywords &missing,
                        const clang::SourceManager &sources,
                        clang::SourceLocation location) {
  if (location.isInvalid())
    return;
  auto [file, offset] = sources.getDecomposedSpellingLoc(location);
  if (auto entry = sources.getFileEntryRefForID(file))
    missing[entry->getName().str()].try_emplace(offset, "typename");
}

void addOperatorCall(MissingKeywords &missing,
                     const clang::SourceManager &sources,
                     clang::SourceLocation location, clang::SourceRange left,
                     clang::SourceRange right) {
  const clang::FileID file = sources.getFileID(location);
  const clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
  // In a macro, the text stands at another place.
  for (const clang::SourceLocation at :
       {location, left.getBegin(), left.getEnd(), right.getBegin(),
        right.getEnd()})
    if (!entry || !at.isFileID() || sources.getFileID(at) != file)
      return;
  clang::LangOptions cpp;
  cpp.CPlusPlus = true;
  auto endOf = [&](clang::SourceLocation token) {
    return sources.getFileOffset(token) +
           clang::Lexer::MeasureTokenLength(token, sources, cpp);
  };
  const unsigned begin = sources.getFileOffset(location), end = endOf(location);
  const std::string name =
      sources.getBufferData(file).substr(begin, end - begin).str();
  const KeywordsInFile call{
      {sources.getFileOffset(left.getBegin()), "operator" + name + "("},
      {begin, ", /*"},
      {end, "*/"},
      {endOf(right.getEnd()), ")"}};
  KeywordsInFile &words = missing[entry->getName().str()];
  // Nested ones wait for the next round.
  if (llvm::none_of(call,
                    [&](const auto &word) { return words.count(word.first); }))
    words.insert(call.begin(), call.end());
}

std::string withKeywords(llvm::StringRef text, const KeywordsInFile &keywords) {
  std::string result = text.str();
  for (const auto &[offset, keyword] : llvm::reverse(keywords))
    if (offset <= text.size())
      result.insert(offset, keyword + " ");
  return result;
}

void acceptNvccSpelling(clang::Preprocessor &preprocessor,
                        const MissingSpaces &missing, SeeToken see) {
  preprocessor.setTokenWatcher([watcher = Watcher(preprocessor, missing),
                                see](const clang::Token &token) mutable {
    // The parser's own token, which is no constant.
    watcher.see(const_cast<clang::Token &>(token));
    if (see)
      see(token);
  });
}

void restoreRegisters(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      auto *assembly =
          call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand())
               : nullptr;
      if (!assembly || !llvm::is_contained(assembly->getAsmString(), marker))
        continue;
      std::string text(assembly->getAsmString());
      llvm::replace(text, marker, '%');
      call->setCalledOperand(llvm::InlineAsm::get(
          assembly->getFunctionType(), text, assembly->getConstraintString(),
          assembly->hasSideEffects(), assembly->isAlignStack(),
          assembly->getDialect(), assembly->canThrow()));
    }
}

std::string withoutTemplateBeforeDestructors(llvm::StringRef text) {
  std::string result;
  constexpr llvm::StringLiteral word = "template";
  for (size_t at = text.find(word); at != llvm::StringRef::npos;
       at = text.find(word, at + word.size())) {
    llvm::StringRef before = text.take_front(at).rtrim(" \t\n\r\\");
    llvm::StringRef after = text.drop_front(at + word.size());
    if ((!before.ends_with(".") && !before.ends_with("->")) ||
        !after.ltrim(" \t").starts_with("~"))
      continue;
    if (result.empty())
      result = text.str();
    result.replace(at, word.size(), word.size(), ' ');
  }
  return result;
}

/// True if the last line of `before` is "#define NAME".
static bool definesMacro(llvm::StringRef before) {
  llvm::StringRef line =
      before.drop_front(before.find_last_of('\n') + 1).trim(" \t");
  if (!line.consume_front("#"))
    return false;
  line = line.ltrim(" \t");
  if (!line.consume_front("define") || line.ltrim(" \t").size() == line.size())
    return false;
  line = line.ltrim(" \t");
  return !line.empty() && llvm::all_of(line, [](char c) {
    return llvm::isAlnum(c) || c == '_';
  });
}

std::string withPragmaOperators(llvm::StringRef text) {
  std::string result;
  constexpr llvm::StringLiteral word = "#pragma";
  for (size_t at = text.find(word); at != llvm::StringRef::npos;
       at = text.find(word, at + word.size())) {
    if (!definesMacro(text.take_front(at)))
      continue;
    const llvm::StringRef line = text.drop_front(at).take_until(
        [](char c) { return c == '\n' || c == '\r'; });
    const llvm::StringRef whole = line.take_front(
        std::min(line.find("//"), line.find("/*"))); // a comment stays
    const llvm::StringRef pragma = whole.drop_front(word.size()).trim(" \t");
    if (pragma.empty() || pragma.find_first_of("\"\\") != llvm::StringRef::npos)
      continue;
    if (result.empty())
      result = text.str();
    const std::string operation = ("_WPR(\"" + pragma + "\")").str();
    result.replace(at, whole.size(), whole.size(), ' ');
    result.replace(at, operation.size(), operation);
  }
  return result;
}

std::string withAssignableHalves(llvm::StringRef header) {
  std::string result;
  for (llvm::StringRef operand : {"operator=(const __half2_raw &",
                                  "operator=(const __nv_bfloat162_raw &"})
    for (size_t at = header.find(operand); at != llvm::StringRef::npos;
         at = header.find(operand, at + 1)) {
      if (result.empty())
        result = header.str();
      // A reference that is not const binds to no temporary.
      constexpr llvm::StringLiteral before = "operator=(", constant = "const";
      result.replace(at + before.size(), constant.size(), constant.size(), ' ');
    }
  return result;
}

std::string withJoinedLaunches(llvm::StringRef text) {
  std::string result;
  auto skipSpaces = [&](size_t at) {
    return text.find_first_not_of(" \t", at);
  };
  // `operator<< <T>(a)` is no launch.
  auto isLaunch = [&](size_t at) {
    llvm::StringRef before = text.take_front(at).rtrim(" \t\n\r\\");
    return !before.ends_with("operator") && !before.ends_with("<");
  };
  /// Moves the last of three brackets next to the first two.
  auto join = [&](size_t at, char bracket, size_t last) {
    if (result.empty())
      result = text.str();
    result[last] = ' ';
    result[at + 2] = bracket;
  };
  for (size_t at = text.find("<<"); at != llvm::StringRef::npos;
       at = text.find("<<", at + 2)) {
    const size_t third = skipSpaces(at + 2);
    if (third == llvm::StringRef::npos || text[third] != '<' || !isLaunch(at))
      continue;
    // The end: the last `>>>` or `>> >` in front of arguments; an earlier one
    // ends a type.
    struct {
      size_t begin = 0, last = 0;
    } end;
    int nesting = 0;
    for (size_t i = third + 1; i + 1 < text.size(); ++i) {
      const char here = text[i];
      nesting += here == '(' || here == '{';
      nesting -= here == ')' || here == '}';
      if (nesting < 0 || here == ';')
        break;
      if (nesting || here != '>' || text[i + 1] != '>')
        continue;
      const size_t last = skipSpaces(i + 2);
      if (last == llvm::StringRef::npos || text[last] != '>')
        continue;
      const size_t arguments = text.find_first_not_of(" \t\n\r\\", last + 1);
      if (arguments != llvm::StringRef::npos && text[arguments] == '(')
        end = {i, last};
    }
    if (!end.last)
      continue;
    if (third != at + 2)
      join(at, '<', third);
    if (end.last != end.begin + 2)
      join(end.begin, '>', end.last);
  }
  return result;
}

} // namespace warplint
