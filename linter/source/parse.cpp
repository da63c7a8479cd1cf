#include "source/parse.h"
#include "base/failure.h"
#include "input/compiler.h"
#include "input/kokkos_search.h"
#include "input/library_includes.h"
#include "source/attempts.h"
#include "source/device_layout.h"
#include "source/error_collector.h"
#include "source/execution_space.h"
#include "source/foreign_lines.h"
#include "source/headers_in_use.h"
#include "source/kokkos/read_kokkos.h"
#include "source/late_bodies.h"
#include "source/nvcc_spelling.h"
#include "source/preamble.h"
#include "source/precompile.h"
#include "source/precompiled_header.h"
#include "source/recording_files.h"
#include "source/shared_constructors.h"
#include "source/shim.h"
#include "version.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/Version.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Tool.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/LexDiagnostic.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/LockFileManager.h"
#include "llvm/Support/Path.h"
#include <limits>

namespace warplint {

ParsedSource::~ParsedSource() {
  if (action_)
    action_->EndSourceFile();
}

namespace {

/// Returns true for an error that Cure::HostTemplates may make: with it, Clang
/// compiles for the device what nvcc compiles for the host alone.
bool isUseOfHost(const ParseError &error) {
  return llvm::StringRef(error.text)
      .starts_with("reference to __host__ function");
}

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
  CollectAction(ParsedSource &source, const std::set<std::string> &inShared,
                std::shared_ptr<LateBodies> late, size_t fewestErrors)
      : source_(source), inShared_(inShared), late_(std::move(late)),
        fewestErrors_(fewestErrors) {}
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &, llvm::StringRef) override {
    return std::make_unique<Collector>(source_, inShared_, late_,
                                       fewestErrors_);
  }

private:
  ParsedSource &source_;
  const std::set<std::string> &inShared_;
  const std::shared_ptr<LateBodies> late_;
  const size_t fewestErrors_;
};

/// The standard headers that host code begins with, added to what is included
/// before every source. Clang takes as long for two of them as for the whole
/// source of a small kernel.
constexpr const char *precompiledSource =
    "/warplint-shim/precompiled_header.cu";
constexpr const char *precompiledText = R"(
#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>
)";

/// Minimum size, in bytes, of library headers beyond those for all sources that
/// is worth precompiling. Reading less again costs less time than making the
/// precompiled header, and no disk space.
constexpr uint64_t worthPrecompiling = 1 << 18;

/// Minimum size, in bytes, of the headers outside the precompiled header that
/// makes a preamble worth keeping.
constexpr uint64_t worthKeeping = 1 << 16;

/// Drops the errors that Cure::HostTemplates makes. `before` has the errors
/// without it.
void dropUsesOfHost(std::vector<ParseError> &errors,
                    llvm::ArrayRef<ParseError> before) {
  auto at = [](const ParseError &error) {
    return std::tie(error.file, error.line, error.column);
  };
  llvm::erase_if(errors, [&](const ParseError &error) {
    return isUseOfHost(error) &&
           llvm::none_of(before, [&](const ParseError &other) {
             return at(other) == at(error);
           });
  });
}

/// Returns true if the errors are the same, at the same lines: a keyword moves
/// what follows it.
bool hasSameErrors(llvm::ArrayRef<ParseError> errors,
                   llvm::ArrayRef<ParseError> before) {
  return llvm::equal(errors, before, [](const auto &a, const auto &b) {
    return std::tie(a.file, a.line, a.text) == std::tie(b.file, b.line, b.text);
  });
}

/// Returns true if an error may come from a precompiled header that the source
/// does not include: one of its names, such as `count`, after `using namespace
/// std`.
bool mayComeFromPrecompiledHeader(const std::vector<ParseError> &errors) {
  return llvm::any_of(errors, [](const ParseError &error) {
    llvm::StringRef text = error.text;
    return text.contains("ambiguous") || text.contains("redefinition") ||
           text.contains("conflict");
  });
}

} // namespace

class Parser {
public:
  Parser(const Command &command, const Translation &translation,
         const std::optional<Toolkit> &toolkit, const std::string &resourceDir,
         const Store &kept, const Buffers &buffers)
      : command_(command), translation_(translation), toolkit_(toolkit),
        resourceDir_(resourceDir), kept_(kept), buffers_(buffers) {}

  llvm::Expected<std::unique_ptr<ParsedSource>> best() {
    std::unique_ptr<ParsedSource> kept;
    const std::vector<Attempt> rungs = attempts();
    unsigned made = 0;
    const std::optional<size_t> known = knownRung(rungs.size());
    size_t best = known.value_or(0);
    for (size_t i = best; i < (known ? *known + 1 : rungs.size()); ++i) {
      if (kept &&
          !mayCure(rungs[i].what, kept->errorKinds_, kept->errors.size()))
        continue;
      if (kept)
        fewestErrors_ = kept->errors.size();
      auto attempt = parseAsNvcc(rungs[i].flags);
      if (!attempt)
        return attempt.takeError();
      ++made;
      if (kept && rungs[i].what == Cure::HostTemplates)
        dropUsesOfHost((*attempt)->errors, kept->errors);
      if (!kept || (*attempt)->errors.size() < kept->errors.size()) {
        kept = std::move(*attempt);
        best = i;
      }
      if (kept->errors.empty())
        break;
    }
    if (!known)
      rememberRung(best, kept->errors.empty());
    std::set<std::string> asked = std::move(askedByPreamble_);
    for (const auto &files : recorded_)
      asked.merge(files->asked());
    kept->asked.assign(asked.begin(), asked.end());
    kept->attempts = made;
    if (best == 0 && kept->errors.empty())
      notePreamble(rungs[best].flags, *kept);
    return kept;
  }

  std::string cachedPrecompiledHeader(const std::string &libraries) const {
    return !kept_.isEnabled()
               ? ""
               : precompiledHeaderFor(precompiledHeaderRequest(
                                          attempts().front().flags, libraries),
                                      nullptr);
  }

  void dropPrecompiledHeaders() {
    for (const Attempt &attempt : attempts()) {
      if (std::optional<OwnPreamble> preamble = ownPreamble(attempt.flags))
        preamble->kept.drop();
      for (const PrecompiledHeader &header :
           precompiledHeadersFor(attempt.flags, /*mayMake=*/false))
        dropPrecompiledHeader(header.file);
    }
  }

private:
  /// The preamble of the source, which others in its folder may begin with.
  struct OwnPreamble {
    std::unique_ptr<llvm::MemoryBuffer> source; ///< its whole text
    clang::PreambleBounds bounds;
    std::string file, text; ///< a file that is nowhere, with the directives
    Key key;
    Preamble kept;
  };

  struct PrecompiledHeader {
    std::string file;
    std::string libraries; ///< its includes beyond those for all sources
    std::string lacks; ///< includes of the source that it could hold as well
    /// What continues it up to the source's first declaration, or null.
    const OwnPreamble *preamble = nullptr;
  };

  /// Returns nothing if the source has no directives before its first
  /// declaration, or if the headers that it reads are not those on disk.
  std::optional<OwnPreamble>
  ownPreamble(const std::vector<std::string> &more) const {
    if (!kept_.isEnabled() || !usesPrecompiledHeader_ ||
        !withKeywords_.empty() || !missingSpaces_.empty() ||
        !inShared_.empty() ||
        (translation_.forHost && translation_.layoutRight))
      return std::nullopt;
    // Copied: an editor may cut the file short meanwhile.
    auto source = fileSystem(disk(), {})
                      ->getBufferForFile(command_.source, /*FileSize=*/-1,
                                         /*RequiresNullTerminator=*/true,
                                         /*IsVolatile=*/true);
    if (!source)
      return std::nullopt;
    llvm::StringRef text = (*source)->getBuffer();
    clang::LangOptions language;
    language.CPlusPlus = true;
    language.LineComment = true;
    const clang::PreambleBounds bounds =
        clang::Lexer::ComputePreamble(text, language);
    // A licence before the first directive differs from source to source.
    clang::Lexer lexer(clang::SourceLocation(), language, text.begin(),
                       text.begin(), text.end());
    clang::Token first;
    lexer.LexFromRawLexer(first);
    const size_t begin = lexer.getCurrentBufferOffset() - first.getLength();
    if (bounds.Size <= begin)
      return std::nullopt;
    text = text.slice(begin, bounds.Size);
    llvm::SmallString<256> file(command_.source);
    llvm::sys::path::remove_filename(file);
    llvm::sys::path::append(file, ".warplint-preamble.cu");
    Key key("preamble");
    key.add(file.str()).add(command_.directory).add(ownArguments());
    key.add(userArguments(more)).add(text);
    key.add(precompiledHeaderRequest(more, "").version);
    for (const auto &[path, changed] : buffers_)
      if (path != command_.source)
        key.add(path).add(changed);
    return OwnPreamble{std::move(*source), bounds, file.str().str(),
                       text.str(),         key,    Preamble(kept_, key)};
  }

  /// Parses only what follows the preamble. Returns null where there is no
  /// preamble to use.
  std::unique_ptr<ParsedSource>
  parseAfterPreamble(const std::vector<std::string> &more) {
    std::optional<OwnPreamble> own = ownPreamble(more);
    if (!own)
      return nullptr;
    if (!own->kept.made() && own->kept.isWorthMaking())
      makePreamble(more, *own);
    const MadePreamble *made = own->kept.made();
    if (!made)
      return nullptr;
    auto attempt = parse(more, {made->base, made->libraries, "", &*own});
    // An error in a header may be due to what the source says after it.
    const bool isWhole =
        attempt && !mayComeFromPrecompiledHeader((*attempt)->errors) &&
        llvm::all_of((*attempt)->errors, [&](const ParseError &error) {
          return error.file == command_.source;
        });
    if (!attempt) {
      llvm::consumeError(attempt.takeError());
      own->kept.drop();
    }
    if (!isWhole)
      return nullptr;
    askedByPreamble_.insert(own->kept.asked().begin(), own->kept.asked().end());
    usesOwnPreamble_ = true;
    return std::move(*attempt);
  }

  void makePreamble(const std::vector<std::string> &more, OwnPreamble &own) {
    // Other processes read their sources without it instead of waiting.
    llvm::LockFileManager lock(own.kept.file());
    llvm::Expected<bool> isOurs = lock.tryLock();
    if (!isOurs || !*isOurs)
      return llvm::consumeError(isOurs.takeError());
    own.kept = Preamble(kept_, own.key);
    if (own.kept.made())
      return;
    for (const PrecompiledHeader &base : precompiledHeadersFor(more))
      if (makePreamble(more, base, own))
        return;
    own.kept.drop();
  }

  /// Returns false if it cannot be made with this base.
  bool makePreamble(const std::vector<std::string> &more,
                    const PrecompiledHeader &base, OwnPreamble &own) const {
    auto files = llvm::makeIntrusiveRefCnt<RecordingFiles>(disk());
    MadePreamble made{own.kept.file(), base.file, base.libraries, {}};
    auto write = [&](llvm::StringRef file) {
      return writePreamble(more, {base.file, base.libraries, "", &own}, files,
                           file, made.declarations);
    };
    if (!makeFile(kept_, made.file, write).value_or(false))
      return false;
    std::vector<std::string> asked = withoutOwn(files->asked());
    own.kept.keep(std::move(made), std::move(asked));
    return true;
  }

  bool writePreamble(const std::vector<std::string> &more,
                     const PrecompiledHeader &header,
                     llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                     llvm::StringRef file,
                     std::vector<uint64_t> &declarations) const {
    std::vector<ParseError> errors;
    clang::CompilerInstance clang;
    clang.setVirtualFileSystem(fileSystem(files, header));
    clang.createDiagnostics(collectErrors(errors).release(),
                            /*ShouldOwnClient=*/true);
    std::vector<std::string> all = ownArguments();
    llvm::append_range(all, userArguments(more));
    all.push_back(header.preamble->file);
    if (llvm::Error error = invoke(all, clang)) {
      llvm::consumeError(std::move(error));
      return false;
    }
    continueFrom(header.file, more, clang);
    clang.getPreprocessorOpts().GeneratePreamble = true;
    writeTo(file, clang);
    return clang.ExecuteAction(*precompilePreamble(declarations)) &&
           errors.empty();
  }

  /// The files without the source itself, whose text is compared by its
  /// preamble, and without what is kept here.
  std::vector<std::string>
  withoutOwn(const std::set<std::string> &asked) const {
    llvm::SmallString<256> source(command_.source);
    llvm::sys::path::make_absolute(command_.directory, source);
    std::vector<std::string> others;
    for (const std::string &file : asked)
      if (file != source && !llvm::StringRef(file).starts_with(kept_.folder()))
        others.push_back(file);
    return others;
  }

  /// True for a header of the project. Which files of the system a source
  /// reads itself, and where it looks for them in vain, depends on the
  /// precompiled header at the time.
  bool isProjects(llvm::StringRef file) const {
    return !file.starts_with("/usr/") && !file.starts_with(resourceDir_) &&
           !(toolkit_ && file.starts_with(toolkit_->root)) &&
           llvm::sys::fs::is_regular_file(file);
  }

  /// Notes that the source was read with no error.
  void notePreamble(const std::vector<std::string> &more,
                    const ParsedSource &parsed) {
    if (usesOwnPreamble_ ||
        headerBytes(parsed.instance().getSourceManager()) < worthKeeping)
      return;
    std::optional<OwnPreamble> own = ownPreamble(more);
    if (!own)
      return;
    std::vector<std::string> asked =
        withoutOwn({parsed.asked.begin(), parsed.asked.end()});
    llvm::erase_if(asked, [&](const auto &file) { return !isProjects(file); });
    own->kept.wasRead(command_.source, own->source->getBuffer(),
                      std::move(asked));
  }

  /// Parses once more with the keywords `template` that Clang misses, and again
  /// for those that it finds missing only then: code instantiated by code that
  /// it had rejected. The offsets of each round are those in its own text.
  llvm::Expected<std::unique_ptr<ParsedSource>>
  parseWithKeywords(const std::vector<std::string> &more) {
    auto attempt = parseWithConstructors(more);
    if (!attempt || (*attempt)->missingKeywords.empty())
      return attempt;
    Buffers best = withKeywords_;
    std::unique_ptr<ParsedSource> again;
    for (unsigned round = 0; round < 3; ++round) {
      const ParsedSource &last = again ? *again : **attempt;
      if (last.missingKeywords.empty())
        break;
      for (const auto &[file, keywords] : last.missingKeywords)
        addKeywords(file, keywords);
      auto next = parseWithConstructors(more);
      if (!next) {
        llvm::consumeError(next.takeError());
        break;
      }
      if ((*next)->errors.size() < (*attempt)->errors.size()) {
        attempt = std::move(*next);
        again = nullptr;
        best = withKeywords_;
        continue;
      }
      // Clang goes on to the next argument of a call only behind one that it
      // understands.
      if ((*next)->errors.size() > (*attempt)->errors.size() ||
          hasSameErrors((*next)->errors, last.errors))
        break;
      again = std::move(*next);
    }
    withKeywords_ = std::move(best);
    return attempt;
  }

  void addKeywords(const std::string &file, const KeywordsInFile &keywords) {
    llvm::SmallString<256> path(file);
    llvm::sys::path::make_absolute(command_.directory, path);
    std::string &text = withKeywords_[file];
    if (text.empty())
      if (auto read = readText(path.str().str(), buffers_))
        text = read->getBuffer().str();
    text = withKeywords(text, keywords);
  }

  /// Parses once more if definitions lack the `__device__` of their
  /// declarations.
  llvm::Expected<std::unique_ptr<ParsedSource>>
  parseAsNvcc(const std::vector<std::string> &more) {
    auto attempt = parseWithKeywords(more);
    if (!attempt || !missingSpaces_.empty())
      return attempt;
    missingSpaces_ = missingSpaces(**attempt);
    if (missingSpaces_.empty())
      return attempt;
    auto again = parseWithKeywords(more);
    if (again && (*again)->errors.size() <= (*attempt)->errors.size())
      return again;
    llvm::consumeError(again.takeError());
    missingSpaces_.clear();
    return attempt;
  }

  /// Parses once more if variables in shared memory have constructors: without
  /// precompiled headers that may hold their classes, which are not defined
  /// again.
  llvm::Expected<std::unique_ptr<ParsedSource>>
  parseWithConstructors(const std::vector<std::string> &more) {
    auto attempt = parseWithPrecompiledHeader(more);
    for (bool *uses : {&usesLibraries_, &usesPrecompiledHeader_}) {
      if (!attempt || (*attempt)->constructedInShared.empty())
        break;
      const std::set<std::string> before = inShared_;
      inShared_.insert((*attempt)->constructedInShared.begin(),
                       (*attempt)->constructedInShared.end());
      const bool used = std::exchange(*uses, false);
      auto again = parseWithPrecompiledHeader(more);
      if (again && (*again)->errors.size() < (*attempt)->errors.size()) {
        attempt = std::move(again);
        continue;
      }
      llvm::consumeError(again.takeError());
      inShared_ = before;
      *uses = used;
    }
    return attempt;
  }

  llvm::Expected<std::unique_ptr<ParsedSource>>
  parseWithPrecompiledHeader(const std::vector<std::string> &more) {
    if (auto attempt = parseAfterPreamble(more))
      return attempt;
    for (const PrecompiledHeader &header : precompiledHeadersFor(more)) {
      auto attempt = parse(more, header);
      if (!attempt) {
        // For example: a header is newer than the precompiled header.
        llvm::consumeError(attempt.takeError());
        dropPrecompiledHeader(header.file);
      } else if (mayComeFromPrecompiledHeader((*attempt)->errors)) {
        (header.libraries.empty() ? usesPrecompiledHeader_ : usesLibraries_) =
            false;
      } else {
        if (!header.lacks.empty())
          wantLibraries(more, header.lacks, **attempt);
        return attempt;
      }
    }
    return parse(more, {});
  }

  /// Returns the usable ones, the most complete one first.
  std::vector<PrecompiledHeader>
  precompiledHeadersFor(const std::vector<std::string> &more,
                        bool mayMake = true) {
    if (!kept_.isEnabled() || !usesPrecompiledHeader_)
      return {};
    std::vector<PrecompiledHeader> all;
    const PrecompiledHeaderRequest request = precompiledHeaderRequest(more, "");
    const bool isMade =
        !precompiledHeaderOf(request, "", /*mayMake=*/false).empty();
    const std::string base = precompiledHeaderOf(
        request, "", mayMake && (isMade || isWorthPrecompiling()));
    if (base.empty())
      return {};
    const auto [libraries, macrosBefore] = librariesBehind(base);
    if (!libraries.empty()) {
      const PrecompiledHeaderRequest request =
          precompiledHeaderRequest(more, libraries);
      if (isWanted(request))
        if (std::string file = precompiledHeaderOf(request, libraries, mayMake);
            !file.empty() &&
            notInPrecompiledHeader(kept_, file, macrosBefore).size() ==
                macrosBefore.size())
          all.push_back({file, libraries, ""});
    }
    all.push_back({base, "", libraries});
    return all;
  }

  /// Returns true if another source has been read before, or this one earlier:
  /// making the precompiled header of all sources takes longer than one source
  /// gains by it. An editor reads its text again at each change.
  bool isWorthPrecompiling() {
    if (!isSecond_) {
      // Whatever the user's flags: they seldom change that header.
      PrecompiledHeaderRequest any = precompiledHeaderRequest({}, "");
      any.directory.clear();
      any.user.clear();
      isSecond_ = !buffers_.empty() || isWanted(any);
      if (!*isSecond_)
        want(any);
    }
    return *isSecond_;
  }

  struct Libraries {
    std::string directives;
    /// The user's macros defined before the last of these includes. Headers in
    /// the base are parsed before any macro, so they cannot change.
    std::vector<std::string> macrosBefore;
  };

  /// Returns the includes of the source that `base` does not hold.
  Libraries librariesBehind(llvm::StringRef base) {
    // Each source has its own version of headers that are changed on reading.
    if (!usesLibraries_ || (translation_.forHost && translation_.layoutRight))
      return {};
    if (!libraries_)
      libraries_ = libraryIncludes(command_.source, command_.directory,
                                   translation_.clang, buffers_);
    const auto &[headers, macros, macrosBefore] = *libraries_;
    std::vector<std::string> names;
    for (const std::string &header : headers)
      names.push_back("<" + header);
    names = notInPrecompiledHeader(kept_, base, std::move(names));
    if (names.empty())
      return {};
    const size_t last =
        llvm::find(headers, names.back().substr(1)) - headers.begin();
    Libraries libraries;
    libraries.macrosBefore.assign(macros.begin(),
                                  macros.begin() + macrosBefore[last]);
    for (const std::string &name : names)
      libraries.directives += "#include " + name + ">\n";
    return libraries;
  }

  /// Records that the next source which begins like this one is to have a
  /// precompiled header of these libraries.
  void wantLibraries(const std::vector<std::string> &more,
                     const std::string &libraries, const ParsedSource &parsed) {
    if (usesLibraries_ &&
        libraryBytes(parsed.instance().getSourceManager()) >= worthPrecompiling)
      want(precompiledHeaderRequest(more, libraries));
  }

  /// Returns the bytes of library headers outside the precompiled header.
  static uint64_t libraryBytes(const clang::SourceManager &sources) {
    return bytesOf(
        sources, [](const clang::SrcMgr::FileInfo &info, llvm::StringRef name) {
          return clang::SrcMgr::isSystem(info.getFileCharacteristic()) ||
                 isKokkosHeader(name);
        });
  }

  /// Returns the bytes of all headers outside the precompiled header.
  static uint64_t headerBytes(const clang::SourceManager &sources) {
    const clang::OptionalFileEntryRef source =
        sources.getFileEntryRefForID(sources.getMainFileID());
    return bytesOf(sources,
                   [&](const clang::SrcMgr::FileInfo &, llvm::StringRef name) {
                     return !source || name != source->getName();
                   });
  }

  static uint64_t
  bytesOf(const clang::SourceManager &sources,
          llvm::function_ref<bool(const clang::SrcMgr::FileInfo &,
                                  llvm::StringRef name)>
              counts) {
    uint64_t bytes = 0;
    for (unsigned i = 0; i < sources.local_sloc_entry_size(); ++i) {
      const clang::SrcMgr::SLocEntry &entry = sources.getLocalSLocEntry(i);
      if (!entry.isFile())
        continue;
      const clang::SrcMgr::ContentCache &file =
          entry.getFile().getContentCache();
      if (file.OrigEntry && counts(entry.getFile(), file.OrigEntry->getName()))
        bytes += file.getSize();
    }
    return bytes;
  }

  std::vector<Attempt> attempts() const {
    return attemptsFor(command_, translation_, release());
  }

  std::string rungKey() const {
    return Key("attempt")
        .add(command_.source)
        .add(ownArguments())
        .add(translation_.clang)
        .text();
  }

  /// Text in an editor has errors more often than not, and each attempt would
  /// find them again: uses the attempt that worked when the source was last
  /// read from disk.
  std::optional<size_t> knownRung(size_t count) const {
    if (buffers_.empty())
      return std::nullopt;
    size_t rung;
    const std::optional<std::string> text =
        Store(kept_.folder()).get(rungKey());
    if (!text || llvm::StringRef(*text).getAsInteger(10, rung) || rung >= count)
      return std::nullopt;
    return rung;
  }

  /// Records an attempt with errors only if no other is recorded.
  void rememberRung(size_t rung, bool isClean) const {
    if (!kept_.isEnabled() || !buffers_.empty())
      return;
    const Store here(kept_.folder()); // of no use to other machines
    const std::string key = rungKey(), text = std::to_string(rung);
    const std::optional<std::string> former = here.get(key);
    if (former != text && (isClean || !former))
      here.put(key, text);
  }

  /// Without a toolkit, the stand-in headers are those of this release.
  Toolkit release() const {
    return toolkit_.value_or(Toolkit{"", "", "", 13, 0, 0});
  }

  /// Returns the flags that all sources of one toolkit and architecture share.
  std::vector<std::string> ownArguments() const {
    std::string newest = newestArchitecture(translation_.architectures);
    std::vector<std::string> all{
        "clang++", "-x", "cuda", "--cuda-device-only",
        "--cuda-gpu-arch=" + newest, "-nocudalib",
        "-resource-dir=" + resourceDir_,
        // Like nvcc, but with debug locations and names, and without
        // optimisation: the IR must still match the source.
        "-O1", "-g", "-gcolumn-info", "-fno-discard-value-names",
        "-funroll-loops", "-Xclang", "-disable-llvm-passes",
        // At the end of a variable's lifetime the ways out of its block meet:
        // what a loop does before 'break' would be part of the loop.
        "-Xclang", "-disable-lifetime-markers", "-S", "-emit-llvm",
        // Some errors are Clang's by default only and none to nvcc:
        // `register`, a narrowing conversion.
        "-w", "-Wno-everything", "-ferror-limit=0", "-Wno-unknown-cuda-version",
        "-ftemplate-depth=2048",
        // What a misspelt name may mean is a guess, and Clang searches for one
        // also where it then reports nothing.
        "-fno-spell-checking", "-Xclang",
        // The driver sets this only where it also looks for libdevice.
        llvm::formatv("-target-sdk-version={0}.{1}", release().major,
                      release().minor)};
    if (toolkit_)
      all.push_back("--cuda-path=" + toolkit_->root);
    llvm::append_range(all, shimFlags(toolkit_));
    if (translation_.forHost)
      llvm::append_range(all, kokkosFlags());
    return all;
  }

  std::vector<std::string>
  userArguments(const std::vector<std::string> &more) const {
    std::vector<std::string> all = translation_.clang;
    llvm::append_range(all, more);
    return all;
  }

  PrecompiledHeaderRequest
  precompiledHeaderRequest(const std::vector<std::string> &more,
                           const std::string &libraries) const {
    PrecompiledHeaderRequest request{kept_,
                                     command_.directory,
                                     toolkit_ ? toolkit_->root : "",
                                     ownArguments(),
                                     userArguments(more),
                                     WARPLINT_VERSION " " CLANG_VERSION_STRING};
    for (const ShimFile &file : shimFiles())
      request.version += file.text;
    request.version += precompiledText + libraries;
    for (const auto &line : llvm::split(libraries, '\n'))
      if (auto [before, name] = line.split('<'); !name.empty())
        request.headers.push_back(name.drop_back().str());
    request.version += "6"; // raised when it is made in another way
    return request;
  }

  std::string precompiledHeaderOf(const PrecompiledHeaderRequest &request,
                                  const std::string &libraries,
                                  bool mayMake) const {
    auto make = [&](const std::vector<std::string> &flags, llvm::StringRef file,
                    PrecompiledHeaderNames &names) {
      return makePrecompiledHeader(flags, file, libraries, names);
    };
    return mayMake ? precompiledHeaderFor(request, make)
                   : precompiledHeaderFor(request, nullptr);
  }

  bool makePrecompiledHeader(const std::vector<std::string> &flags,
                             llvm::StringRef file, const std::string &libraries,
                             PrecompiledHeaderNames &names) const {
    std::vector<ParseError> errors;
    clang::CompilerInstance clang;
    clang.setVirtualFileSystem(
        fileSystem(disk(), {"", libraries, "", nullptr}));
    clang.createDiagnostics(collectErrors(errors).release(),
                            /*ShouldOwnClient=*/true);
    std::vector<std::string> all = flags;
    all.push_back(precompiledSource);
    if (llvm::Error error = invoke(all, clang)) {
      llvm::consumeError(std::move(error));
      return false;
    }
    writeTo(file, clang);
    return clang.ExecuteAction(*precompileHeader(names)) && errors.empty();
  }

  static void writeTo(llvm::StringRef file, clang::CompilerInstance &clang) {
    clang.getFrontendOpts().OutputFile = file.str();
    clang.getFrontendOpts().SkipFunctionBodies =
        true; // those that the action selects
    // The file is a temporary one already and is deleted if a signal ends the
    // process; Clang's own would stay.
    clang.getFrontendOpts().UseTemporary = false;
    // Otherwise each source instantiates them again, which takes half of its
    // time.
    clang.getLangOpts().PCHInstantiateTemplates = true;
    clang.getDiagnosticOpts().ShowCarets = false; // nor their number
  }

  /// Uses the precompiled header instead of the includes that it holds.
  void continueFrom(llvm::StringRef header,
                    const std::vector<std::string> &more,
                    clang::CompilerInstance &instance) const {
    clang::PreprocessorOptions &options = instance.getPreprocessorOpts();
    const size_t users = countIncludes(userArguments(more));
    options.Includes.erase(options.Includes.begin(),
                           options.Includes.end() - users);
    options.ImplicitPCHInclude = header.str();
    // Rejects it after an update of the toolkit or the C++ library.
    instance.getHeaderSearchOpts().ModulesValidateSystemHeaders = true;
  }

  /// Uses the preamble instead of the directives that it holds.
  void apply(const PrecompiledHeader &header,
             const std::vector<std::string> &more,
             clang::CompilerInstance &instance) const {
    continueFrom(header.file, more, instance);
    if (!header.preamble)
      return;
    clang::PreprocessorOptions &options = instance.getPreprocessorOpts();
    options.Includes.clear(); // it has read the user's as well
    options.ImplicitPCHInclude = header.preamble->kept.made()->file;
    const auto &[size, endsLine] = header.preamble->bounds;
    options.PrecompiledPreambleBytes = {size, endsLine};
  }

  llvm::Expected<std::unique_ptr<ParsedSource>>
  parse(const std::vector<std::string> &more, const PrecompiledHeader &header) {
    auto parsed = std::make_unique<ParsedSource>();
    recorded_.push_back(llvm::makeIntrusiveRefCnt<RecordingFiles>(disk()));
    auto files = fileSystem(recorded_.back(), header);

    auto instance = std::make_unique<clang::CompilerInstance>();
    instance->setVirtualFileSystem(files);
    instance->createDiagnostics(
        collectErrors(parsed->errors, parsed.get(), &parsed->errorKinds_)
            .release(),
        /*ShouldOwnClient=*/true);
    std::vector<std::string> all = ownArguments();
    llvm::append_range(all, userArguments(more));
    all.push_back(command_.source);
    if (llvm::Error error = invoke(all, *instance))
      return error;
    // A fatal error would keep all templates from being instantiated.
    instance->getDiagnostics().setSeverity(clang::diag::err_pp_file_not_found,
                                           clang::diag::Severity::Error, {});
    if (!header.file.empty())
      apply(header, more, *instance);

    // The bodies that Collector selects.
    instance->getFrontendOpts().SkipFunctionBodies = true;
    auto late = mayParseLate_ ? std::make_shared<LateBodies>() : nullptr;
    auto action = std::make_unique<CollectAction>(*parsed, inShared_, late,
                                                  fewestErrors_);
    parsed->precompiledHeader = header.file;
    parsed->libraries = header.libraries;
    parsed->instance_ = std::move(instance);
    clang::CompilerInstance &clang = *parsed->instance_;
    if (!clang.createTarget())
      return failure("Clang has no target for " + command_.source);
    clang.createFileManager();
    clang.createSourceManager();
    if (!action->BeginSourceFile(clang, clang.getFrontendOpts().Inputs[0]))
      return failure(parsed->errors.empty() ? "Clang could not begin"
                                            : parsed->errors[0].text);
    parsed->action_ = std::move(action);
    undoForeignLines(clang.getPreprocessor());
    clang.getPreprocessor().addPPCallbacks(
        std::make_unique<ParseLibraryTemplatesLate>(clang.getLangOpts()));
    acceptNvccSpelling(
        clang.getPreprocessor(), missingSpaces_,
        late ? [late](const clang::Token &token) { late->see(token); }
             : SeeToken());
    if (llvm::Error error = parsed->action_->Execute())
      return error;
    if (header.preamble) {
      const MadePreamble &made = *header.preamble->kept.made();
      parsed->preamble = made.file;
      for (clang::Decl *decl :
           declarationsOf(clang, made.file, made.declarations))
        parsed->ofPreamble.emplace_back(decl);
    }
    if (parsed->hasErrorsInLateBodies) {
      // The body may have found a name that the source declares after it.
      mayParseLate_ = false;
      return parse(more, header);
    }
    return parsed;
  }

  /// Returns a new file system, so that each thread has its own working folder.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk() const {
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk(
        llvm::makeIntrusiveRefCnt<RegularFiles>(
            llvm::vfs::createPhysicalFileSystem()));
    disk->setCurrentWorkingDirectory(command_.directory);
    return disk;
  }

  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
  fileSystem(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk,
             const PrecompiledHeader &header) const {
    auto overlay =
        llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(disk);
    auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    memory->setCurrentWorkingDirectory(command_.directory);
    for (const ShimFile &file : shimFiles())
      memory->addFile(file.path, 0,
                      llvm::MemoryBuffer::getMemBuffer(file.text, file.path));
    // The file that is added first stays.
    for (const auto &[path, text] : withKeywords_) {
      memory->addFile(path, 0,
                      llvm::MemoryBuffer::getMemBufferCopy(text, path));
      (void)disk->status(path); // records the file as read
    }
    for (const auto &[path, text] : buffers_)
      memory->addFile(path, 0, llvm::MemoryBuffer::getMemBuffer(text, path));
    if (translation_.forHost && translation_.layoutRight)
      for (const ChangedHeader &header :
           withLayoutRight(translation_.clang, command_.directory)) {
        memory->addFile(
            header.path, 0,
            llvm::MemoryBuffer::getMemBufferCopy(header.text, header.path));
        (void)disk->status(header.path); // records the header as read
      }
    memory->addFile(precompiledSource, 0,
                    llvm::MemoryBuffer::getMemBufferCopy(precompiledText +
                                                         header.libraries));
    if (header.preamble)
      memory->addFile(
          header.preamble->file, 0,
          llvm::MemoryBuffer::getMemBufferCopy(header.preamble->text));
    // Clang does not accept a toolkit without bin/; only its headers are
    // needed.
    if (toolkit_) {
      llvm::SmallString<256> bin(toolkit_->root);
      llvm::sys::path::make_absolute(command_.directory, bin);
      llvm::sys::path::append(bin, "bin");
      if (!llvm::sys::fs::exists(bin))
        memory->addFile(bin + "/none", 0, llvm::MemoryBuffer::getMemBuffer(""));
    }
    overlay->pushOverlay(memory);
    return llvm::makeIntrusiveRefCnt<FilesForClang>(overlay);
  }

  llvm::Error invoke(const std::vector<std::string> &text,
                     clang::CompilerInstance &instance) const {
    std::vector<const char *> all;
    for (const std::string &argument : text)
      all.push_back(argument.c_str());
    clang::driver::Driver driver(resourceDir_ + "/../../../bin/clang++",
                                 "x86_64-pc-linux-gnu",
                                 instance.getDiagnostics(), "warplint",
                                 instance.getVirtualFileSystemPtr());
    std::unique_ptr<clang::driver::Compilation> compilation(
        driver.BuildCompilation(all));
    if (!compilation)
      return failure("Clang does not understand the command of " +
                     command_.source);
    for (const clang::driver::Command &job : compilation->getJobs()) {
      if (llvm::StringRef(job.getCreator().getName()) != "clang")
        continue;
      clang::CompilerInvocation::CreateFromArgs(instance.getInvocation(),
                                                job.getArguments(),
                                                instance.getDiagnostics());
      // The driver omits debug info of variables in optimised device code.
      instance.getInvocation().getCodeGenOpts().setDebugInfo(
          llvm::codegenoptions::LimitedDebugInfo);
      // The engine was made before it had options.
      clang::ProcessWarningOptions(instance.getDiagnostics(),
                                   instance.getDiagnosticOpts(),
                                   *instance.getVirtualFileSystemPtr(),
                                   /*ReportDiags=*/false);
      // Frees the AST with the instance: one process reads many sources.
      instance.getFrontendOpts().DisableFree = false;
      return llvm::Error::success();
    }
    return failure("Clang has no job for the device side of " +
                   command_.source);
  }

  const Command &command_;
  const Translation &translation_;
  const std::optional<Toolkit> &toolkit_;
  const std::string &resourceDir_;
  const Store &kept_;
  const Buffers &buffers_;
  /// Those of the attempts before: one that has as many is not read further.
  size_t fewestErrors_ = std::numeric_limits<size_t>::max();
  bool usesPrecompiledHeader_ = true, usesLibraries_ = true;
  bool mayParseLate_ = true;     ///< bodies of a library's functions
  std::optional<bool> isSecond_; ///< not the first source that is read
  std::optional<LibraryIncludes> libraries_; ///< of the source
  MissingSpaces missingSpaces_;
  Buffers withKeywords_; ///< files with the keywords that Clang misses
  std::set<std::string> inShared_; ///< classes of variables in shared memory
  std::vector<llvm::IntrusiveRefCntPtr<RecordingFiles>> recorded_;
  bool usesOwnPreamble_ = false; ///< of the source, in an attempt
  std::set<std::string> askedByPreamble_;
};

llvm::Expected<std::unique_ptr<ParsedSource>>
parse(const Command &command, const Translation &translation,
      const std::optional<Toolkit> &toolkit, const std::string &resourceDir,
      const Store &kept, const Buffers &buffers) {
  return Parser(command, translation, toolkit, resourceDir, kept, buffers)
      .best();
}

std::string cachedPrecompiledHeader(const Command &command,
                                    const Translation &translation,
                                    const std::optional<Toolkit> &toolkit,
                                    const std::string &resourceDir,
                                    const Store &kept,
                                    const std::string &libraries) {
  return Parser(command, translation, toolkit, resourceDir, kept, Buffers())
      .cachedPrecompiledHeader(libraries);
}

void dropPrecompiledHeaders(const Command &command,
                            const Translation &translation,
                            const std::optional<Toolkit> &toolkit,
                            const std::string &resourceDir, const Store &kept) {
  const Buffers none;
  Parser(command, translation, toolkit, resourceDir, kept, none)
      .dropPrecompiledHeaders();
}

} // namespace warplint
