#include "source/parse_once.h"
#include "source/clang_command.h"
#include "source/clang_files.h"
#include "source/error_collector.h"
#include "source/foreign_lines.h"
#include "source/late_bodies.h"
#include "source/macros_before_libraries.h"
#include "source/nvcc_conditions.h"
#include "source/nvcc_spelling.h"
#include "source/precompile.h"
#include "source/recording_files.h"
#include "source/shared_constructors.h"
#include "source/tokens_for_parser.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/LexDiagnostic.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Parse/Parser.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "llvm/ADT/ScopeExit.h"

namespace warplint {
namespace {

/// Returns true if an attempt is no better than one with so few errors, however
/// it goes on, and no other way to read its text may end them.
bool hasTooManyErrors(const ParsedSource &source, size_t fewestErrors) {
  return source.errors.size() >= fewestErrors &&
         source.missingKeywords.empty() && source.constructedInShared.empty() &&
         size_t(llvm::count_if(source.errors, [](const ParseError &error) {
           return !isUseOfHost(error);
         })) >= fewestErrors;
}

/// Collects the top-level declarations; code is generated later, and only for
/// the best attempt.
class Collector : public clang::SemaConsumer {
public:
  Collector(ParsedSource &source, const std::set<std::string> &inShared,
            std::shared_ptr<LateBodies> late, size_t fewestErrors)
      : source_(source), constructors_(inShared), late_(std::move(late)),
        fewestErrors_(fewestErrors) {}
  void InitializeSema(clang::Sema &sema) override { sema_ = &sema; }
  void HandleTagDeclDefinition(clang::TagDecl *tag) override {
    constructors_.begin(*sema_, *tag);
  }
  void HandleTranslationUnit(clang::ASTContext &) override {
    const size_t before = source_.errors.size();
    if (late_)
      late_->parseUsed(*sema_);
    source_.hasErrorsInLateBodies = source_.errors.size() > before;
    constructors_.end(*sema_);
  }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    source_.groups.push_back(group);
    return !hasTooManyErrors(source_, fewestErrors_);
  }
  void HandleCXXStaticMemberVarInstantiation(clang::VarDecl *var) override {
    source_.staticMembers.push_back(var);
  }
  bool shouldSkipFunctionBody(clang::Decl *decl) override {
    clang::FunctionDecl *function = decl->getAsFunction();
    return knowsNoKernel(*decl) ||
           (late_ && function && late_->takes(*sema_, *function));
  }
  void HandleInterestingDecl(clang::DeclGroupRef group) override {
    if (source_.generator)
      source_.generator->HandleTopLevelDecl(group);
    else
      source_.fromPrecompiledHeader.push_back(group);
  }

private:
  ParsedSource &source_;
  SharedConstructors constructors_;
  std::shared_ptr<LateBodies> late_; ///< null: all bodies are parsed in place
  const size_t fewestErrors_;        ///< of the attempts before
  clang::Sema *sema_ = nullptr;
};

/// Parses the body of a library's function template only where a source uses
/// it. Not those of the project: their bodies may then find names that are
/// declared later.
class ParseLibraryTemplatesLate : public clang::PPCallbacks {
public:
  explicit ParseLibraryTemplatesLate(clang::LangOptions &options)
      : options_(options) {}
  void FileChanged(clang::SourceLocation, FileChangeReason,
                   clang::SrcMgr::CharacteristicKind kind,
                   clang::FileID) override {
    options_.DelayedTemplateParsing = clang::SrcMgr::isSystem(kind);
  }

private:
  clang::LangOptions &options_;
};

class CollectAction : public clang::ASTFrontendAction {
public:
  CollectAction(ParsedSource &source, const ChangesForClang &changes,
                const ParseOptions &options)
      : source_(source), changes_(changes), options_(options),
        late_(options.mayParseLate ? std::make_shared<LateBodies>() : nullptr) {
  }
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &, llvm::StringRef) override {
    return std::make_unique<Collector>(source_, changes_.inShared, late_,
                                       options_.fewestErrors);
  }
  void ExecuteAction() override;

private:
  SeeToken seeToken() const {
    return late_
               ? [late = late_](const clang::Token &token) { late->see(token); }
               : SeeToken();
  }
  void parseAllTokens();
  void parseNeededTokens();

  ParsedSource &source_;
  const ChangesForClang &changes_;
  const ParseOptions options_;
  const std::shared_ptr<LateBodies> late_; ///< null: all are parsed in place
};

void CollectAction::ExecuteAction() {
  // What a precompiled header refers to is not known.
  if (options_.mayDropUnused && source_.precompiledHeader.empty() &&
      source_.preamble.empty())
    parseNeededTokens();
  else
    parseAllTokens();
}

void CollectAction::parseAllTokens() {
  clang::CompilerInstance &clang = getCompilerInstance();
  clang.getPreprocessor().addPPCallbacks(
      std::make_unique<ParseLibraryTemplatesLate>(clang.getLangOpts()));
  acceptNvccSpelling(clang.getPreprocessor(), changes_.missingSpaces,
                     seeToken());
  ASTFrontendAction::ExecuteAction();
}

/// As ASTFrontendAction, but that all tokens are read before the first one is
/// parsed.
void CollectAction::parseNeededTokens() {
  clang::CompilerInstance &clang = getCompilerInstance();
  clang::Preprocessor &preprocessor = clang.getPreprocessor();
  acceptNvccSpelling(preprocessor, changes_.missingSpaces, SeeToken());
  clang.createSema(getTranslationUnitKind(), /*CompletionConsumer=*/nullptr);
  clang::Parser parser(preprocessor, clang.getSema(),
                       clang.getFrontendOpts().SkipFunctionBodies);
  preprocessor.EnterMainSourceFile();
  // The parser begins with a token, and Clang can report nothing before it has
  // begun.
  clang::Token first;
  first.startToken();
  first.setKind(clang::tok::semi);
  preprocessor.EnterToken(first, /*IsReinject=*/true);
  parser.Initialize();

  TokensForParser tokens(clang);
  // What is missing behind an error is not known.
  if (source_.errors.empty())
    source_.dropped = tokens.dropUnused();
  tokens.enter(seeToken());

  clang::EnterExpressionEvaluationContext evaluated(
      clang.getSema(),
      clang::Sema::ExpressionEvaluationContext::PotentiallyEvaluated);
  clang::Parser::DeclGroupPtrTy group;
  clang::Sema::ModuleImportState imports;
  clang::ASTConsumer &consumer = clang.getASTConsumer();
  for (bool isOver = parser.ParseFirstTopLevelDecl(group, imports); !isOver;
       isOver = parser.ParseTopLevelDecl(group, imports))
    if (group && !consumer.HandleTopLevelDecl(group.get()))
      return;
  for (clang::Decl *weak : clang.getSema().WeakTopLevelDecls())
    consumer.HandleTopLevelDecl(clang::DeclGroupRef(weak));
  consumer.HandleTranslationUnit(clang.getASTContext());
}

} // namespace

llvm::Expected<std::unique_ptr<ParsedSource>>
parseOnce(const ParseRequest &request, const ParseOptions &options,
          const ParsedBefore &before, const ChangesForClang &changes,
          std::set<std::string> &asked) {
  auto files = llvm::makeIntrusiveRefCnt<RecordingFiles>(diskFor(request));
  auto addAsked = llvm::make_scope_exit([&] { asked.merge(files->asked()); });
  auto parsed = std::make_unique<ParsedSource>(
      std::make_unique<clang::CompilerInstance>());
  clang::CompilerInstance &clang = parsed->instance();
  clang.setVirtualFileSystem(
      filesForClang(request, files, changes.withKeywords, before.texts));
  clang.createDiagnostics(
      collectErrors(parsed->errors, parsed.get(), &parsed->errorKinds)
          .release(),
      /*ShouldOwnClient=*/true);
  std::vector<std::string> words = sharedFlags(request);
  llvm::append_range(words, options.flags);
  words.push_back(request.command.source);
  if (llvm::Error error = invoke(request, words, clang))
    return error;
  // A fatal error would keep all templates from being instantiated.
  clang.getDiagnostics().setSeverity(clang::diag::err_pp_file_not_found,
                                     clang::diag::Severity::Error, {});
  continueFrom(before, options.flags, clang);
  parsed->precompiledHeader = before.header;
  parsed->libraries = before.libraries;
  parsed->preamble = before.preamble;
  parsed->filesOfPreamble = before.files;

  // The bodies that Collector selects.
  clang.getFrontendOpts().SkipFunctionBodies = true;
  if (llvm::Error error = parsed->begin(
          std::make_unique<CollectAction>(*parsed, changes, options)))
    return error;
  undoForeignLines(clang.getPreprocessor());
  if (!before.libraries.empty() && before.preamble.empty())
    clang.getPreprocessor().addPPCallbacks(
        std::make_unique<MacrosBeforeLibraries>(clang.getSourceManager(),
                                                namesOf(before.libraries),
                                                parsed->macrosBeforeLibraries));
  if (llvm::Error error = parsed->execute())
    return error;
  // A preamble's files are not read again.
  if (!parsed->errors.empty() && before.preamble.empty())
    parsed->errorKinds.nvccDecides =
        nvccDecidesInUsersFiles(clang.getSourceManager());
  if (!before.preamble.empty())
    for (clang::Decl *decl :
         declarationsOf(clang, before.preamble, before.declarations))
      parsed->ofPreamble.emplace_back(decl);
  return parsed;
}

} // namespace warplint
