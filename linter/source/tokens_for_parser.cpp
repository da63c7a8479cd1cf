#include "source/tokens_for_parser.h"
#include "source/shorten/divide.h"
#include "source/shorten/unused_declarations.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaCUDA.h"

namespace tok = clang::tok;

namespace warplint {

/// Notes what Clang applies to the tokens that it reads next.
class TokensForParser::Recorder : public clang::PPCallbacks {
public:
  explicit Recorder(TokensForParser &tokens) : tokens_(&tokens) {}

  void FileChanged(clang::SourceLocation, FileChangeReason,
                   clang::SrcMgr::CharacteristicKind kind,
                   clang::FileID) override {
    add(clang::SrcMgr::isSystem(kind) ? Change::ToSystem : Change::ToUser);
  }

  void PragmaDirective(clang::SourceLocation location,
                       clang::PragmaIntroducerKind) override {
    if (!tokens_)
      return;
    const clang::SourceManager &sources = tokens_->clang_.getSourceManager();
    llvm::StringRef line = llvm::StringRef(sources.getCharacterData(location))
                               .take_until([](char c) { return c == '\n'; });
    const auto [before, argument] = line.split("force_cuda_host_device");
    if (argument.contains("begin"))
      add(Change::BeginForHostDevice);
    else if (argument.contains("end"))
      add(Change::EndForHostDevice);
  }

  void end() { tokens_ = nullptr; }

private:
  void add(Change::Kind kind) {
    if (tokens_)
      tokens_->changes_.push_back({kind, tokens_->tokens_.size()});
  }

  TokensForParser *tokens_; ///< null once they are read
};

TokensForParser::TokensForParser(clang::CompilerInstance &clang)
    : clang_(clang) {
  clang::Preprocessor &preprocessor = clang.getPreprocessor();
  auto owned = std::make_unique<Recorder>(*this);
  Recorder &recorder = *owned;
  preprocessor.addPPCallbacks(std::move(owned));
  clang::Token token;
  do {
    preprocessor.Lex(token);
    token.clearFlag(clang::Token::IsReinjected);
    tokens_.push_back(token);
  } while (token.isNot(tok::eof));
  recorder.end();
}

TokensForParser::~TokensForParser() {
  clang_.getPreprocessor().setTokenWatcher(nullptr);
}

static void addTo(TokenText &text, const clang::Token &token) {
  if (token.isAnnotation())
    text.add(token.getKind(), "");
  else if (const clang::IdentifierInfo *name = token.getIdentifierInfo())
    text.add(tok::raw_identifier, name->getName());
  else if (token.isLiteral() && token.getLiteralData())
    text.add(token.getKind(), {token.getLiteralData(), token.getLength()});
  else
    text.add(token.getKind(), "");
}

llvm::DenseSet<const clang::IdentifierInfo *> TokensForParser::dropUnused() {
  TokenText text;
  std::vector<size_t> tokenOf; // by token of `text`; line markers have the next
  text.tokens.reserve(tokens_.size() + changes_.size());
  tokenOf.reserve(tokens_.size() + changes_.size());
  auto change = changes_.begin();
  for (size_t i = 0; i < tokens_.size(); ++i) {
    for (; change != changes_.end() && change->before <= i; ++change)
      if (change->kind == Change::ToSystem || change->kind == Change::ToUser) {
        text.add(tok::eod, change->kind == Change::ToSystem
                               ? "# 1 \"system.h\" 3\n"
                               : "# 1 \"user.h\"\n");
        tokenOf.push_back(i);
      }
    addTo(text, tokens_[i]);
    tokenOf.push_back(i);
  }

  const std::vector<Piece> pieces =
      divide(text, [](llvm::StringRef) { return false; });
  const std::vector<bool> isNeeded = neededPieces(text, pieces);
  std::vector<bool> stays(tokens_.size(), true);
  for (size_t i = 0; i < pieces.size(); ++i)
    for (unsigned at = pieces[i].first; !isNeeded[i] && at < pieces[i].last;
         ++at)
      if (!text.is(at, tok::eod))
        stays[tokenOf[at]] = false;

  llvm::DenseSet<const clang::IdentifierInfo *> dropped;
  size_t left = 0;
  change = changes_.begin();
  for (size_t i = 0; i < tokens_.size(); ++i) {
    for (; change != changes_.end() && change->before <= i; ++change)
      change->before = left;
    if (stays[i])
      tokens_[left++] = tokens_[i];
    else if (!tokens_[i].isAnnotation() && tokens_[i].getIdentifierInfo())
      dropped.insert(tokens_[i].getIdentifierInfo());
  }
  tokens_.resize(left);
  return dropped;
}

void TokensForParser::apply(Change::Kind change) {
  switch (change) {
  case Change::ToSystem:
  case Change::ToUser:
    // The body of a library's function template is parsed only where a source
    // uses it. Not those of the project: their bodies might then find names
    // that are declared later.
    clang_.getLangOpts().DelayedTemplateParsing = change == Change::ToSystem;
    break;
  case Change::BeginForHostDevice:
    clang_.getSema().CUDA().PushForceHostDevice();
    break;
  case Change::EndForHostDevice:
    clang_.getSema().CUDA().PopForceHostDevice();
    break;
  }
}

void TokensForParser::enter(SeeToken see) {
  apply(Change::ToUser);
  clang::Preprocessor &preprocessor = clang_.getPreprocessor();
  preprocessor.setTokenWatcher(
      [this, see = std::move(see)](const clang::Token &token) {
        for (; applied_ < changes_.size() && changes_[applied_].before <= seen_;
             ++applied_)
          apply(changes_[applied_].kind);
        ++seen_;
        if (see)
          see(token);
      });
  // The parser may look further ahead than to the end.
  tokens_.insert(tokens_.end(), 4, clang::Token(tokens_.back()));
  preprocessor.EnterTokenStream(tokens_, /*DisableMacroExpansion=*/true,
                                /*IsReinject=*/false);
}

} // namespace warplint
