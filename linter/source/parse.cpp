#include "source/parse.h"
#include "base/failure.h"
#include "input/kokkos_search.h"
#include "input/library_includes.h"
#include "source/device_layout.h"
#include "source/kokkos/read_kokkos.h"
#include "source/precompiled_header.h"
#include "source/recording_files.h"
#include "source/shim.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/Version.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Tool.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "clang/Lex/LexDiagnostic.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

namespace warplint {

ParsedSource::~ParsedSource() {
  if (action_)
    action_->EndSourceFile();
}

namespace {

/// Keeps Clang's errors; prints nothing.
class ErrorCollector : public clang::DiagnosticConsumer {
public:
  explicit ErrorCollector(std::vector<ParseError> &errors) : errors_(errors) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    if (level < clang::DiagnosticsEngine::Error)
      return;
    llvm::SmallString<128> text;
    info.FormatDiagnostic(text);
    ParseError error{"", 0, 0, text.str().str()};
    if (info.hasSourceManager() && info.getLocation().isValid()) {
      clang::PresumedLoc place =
          info.getSourceManager().getPresumedLoc(info.getLocation());
      if (place.isValid()) {
        error.file = place.getFilename();
        error.line = place.getLine();
        error.column = place.getColumn();
      }
    }
    // What ends the reading, or stands there to be told, says what is missing;
    // an error before it may be in a template of some header that no compiler
    // would have looked into.
    const bool decides = level == clang::DiagnosticsEngine::Fatal ||
                         info.getID() == clang::diag::err_pp_hash_error;
    errors_.insert(decides ? errors_.begin() + deciding_++ : errors_.end(),
                   std::move(error));
  }

private:
  std::vector<ParseError> &errors_;
  unsigned deciding_ = 0; ///< of them, the first so many
};

/// In `std` or in what GCC's form of it adds, and not in `cuda::std`.
bool isOfStandardLibrary(const clang::Decl &decl) {
  const clang::DeclContext *outermost = decl.getDeclContext();
  while (!outermost->isTranslationUnit() &&
         !outermost->getParent()->isTranslationUnit())
    outermost = outermost->getParent();
  auto *space = llvm::dyn_cast<clang::NamespaceDecl>(outermost);
  return space &&
         (space->getName() == "std" || space->getName() == "__gnu_cxx");
}

/// What a library does on the host and is no template knows no kernel of the
/// user's, nor does a member of a class template of the language's own library:
/// of it, only what is a template itself calls generic lambdas that launch one.
/// What such a member alone does to the user's objects (`std::vector<Field<T>>`
/// constructs them) is not seen: to read that takes half of a source's time.
bool knowsNoKernel(clang::Decl &decl) {
  const clang::FunctionDecl *function = decl.getAsFunction();
  return function && !function->hasAttr<clang::CUDADeviceAttr>() &&
         !function->hasAttr<clang::CUDAGlobalAttr>() &&
         decl.getASTContext().getSourceManager().isInSystemHeader(
             decl.getLocation()) &&
         (!function->isTemplated() ||
          (!function->getDescribedFunctionTemplate() &&
           isOfStandardLibrary(decl)));
}

/// Hands the top-level declarations on; code is generated later, and only from
/// the attempt that is kept.
class Collector : public clang::ASTConsumer {
public:
  explicit Collector(ParsedSource &source) : source_(source) {}
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    source_.groups.push_back(group);
    return true;
  }
  void HandleCXXStaticMemberVarInstantiation(clang::VarDecl *var) override {
    source_.staticMembers.push_back(var);
  }
  bool shouldSkipFunctionBody(clang::Decl *decl) override {
    return knowsNoKernel(*decl);
  }
  void HandleInterestingDecl(clang::DeclGroupRef group) override {
    if (source_.generator)
      source_.generator->HandleTopLevelDecl(group);
    else
      source_.fromPrefix.push_back(group);
  }

private:
  ParsedSource &source_;
};

/// Leaves out of a precompiled header what every source would read back whole,
/// for nothing: bodies that know no kernel, the functions in which an error may
/// iteration up that waits for a kernel to call them (none is in the
/// library's), and what nobody is warned about.
class LeaveOut : public clang::SemaConsumer {
public:
  void InitializeSema(clang::Sema &sema) override { sema_ = &sema; }
  bool shouldSkipFunctionBody(clang::Decl *decl) override {
    return knowsNoKernel(*decl);
  }
  void HandleTranslationUnit(clang::ASTContext &) override {
    sema_->DeclsToCheckForDeferredDiags.clear();
    sema_->UnusedFileScopedDecls = {};
    sema_->DeleteExprs.clear();
  }

private:
  clang::Sema *sema_ = nullptr;
};

/// Writes a precompiled header, and says what it depends on.
class PrefixAction : public clang::GeneratePCHAction {
public:
  explicit PrefixAction(PrefixNames &names) : names_(names) {}

  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &clang,
                    llvm::StringRef file) override {
    std::vector<std::unique_ptr<clang::ASTConsumer>> all;
    all.push_back(std::make_unique<LeaveOut>());
    all.push_back(GeneratePCHAction::CreateASTConsumer(clang, file));
    return std::make_unique<clang::MultiplexConsumer>(std::move(all));
  }

  bool BeginSourceFileAction(clang::CompilerInstance &clang) override {
    struct Includes : clang::PPCallbacks {
      explicit Includes(PrefixNames &names) : names(names) {}
      void InclusionDirective(clang::SourceLocation, const clang::Token &,
                              llvm::StringRef file, bool,
                              clang::CharSourceRange,
                              clang::OptionalFileEntryRef, llvm::StringRef,
                              llvm::StringRef, const clang::Module *, bool,
                              clang::SrcMgr::CharacteristicKind) override {
        auto [first, rest] = file.split('/');
        names.insert(("<" + first + (rest.empty() ? "" : "/")).str());
      }
      PrefixNames &names;
    };
    clang.getPreprocessor().addPPCallbacks(std::make_unique<Includes>(names_));
    return GeneratePCHAction::BeginSourceFileAction(clang);
  }

  void EndSourceFileAction() override {
    for (const auto &entry :
         getCompilerInstance().getPreprocessor().getIdentifierTable())
      names_.insert(entry.getKey().str());
    GeneratePCHAction::EndSourceFileAction();
  }

private:
  PrefixNames &names_;
};

class CollectAction : public clang::ASTFrontendAction {
public:
  explicit CollectAction(ParsedSource &source) : source_(source) {}
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &, llvm::StringRef) override {
    return std::make_unique<Collector>(source_);
  }

private:
  ParsedSource &source_;
};

/// What a prefix holds beside all that is included before a source: the
/// library's headers that host code begins with. Two of them take Clang as long
/// as a small kernel's whole source.
constexpr const char *prefixSource = "/warplint-shim/prefix.cu";
constexpr const char *prefixText = R"(
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

/// Bytes of libraries' headers, beside those of the prefix that all sources
/// share, from which on a source asks for a prefix that holds them as well.
/// What fewer take to read again is not worth its making, nor its place on the
/// disk.
constexpr uint64_t worthAPrefix = 1 << 18;

/// Errors that a header may bring that the source does not include: a name of
/// its own, such as `count`, behind `using namespace std`.
bool mayComeFromPrefix(const std::vector<ParseError> &errors) {
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
    const std::vector<std::vector<std::string>> rungs = attempts();
    const std::optional<size_t> known = knownRung(rungs.size());
    size_t best = known.value_or(0);
    for (size_t i = best; i < (known ? *known + 1 : rungs.size()); ++i) {
      auto attempt = parseWithPrefix(rungs[i]);
      if (!attempt)
        return attempt.takeError();
      if (!kept || (*attempt)->errors.size() < kept->errors.size()) {
        kept = std::move(*attempt);
        best = i;
      }
      if (kept->errors.empty())
        break;
    }
    if (!known)
      rememberRung(best, kept->errors.empty());
    std::set<std::string> asked;
    for (const auto &files : recorded_)
      asked.merge(files->asked());
    kept->asked.assign(asked.begin(), asked.end());
    return kept;
  }

  std::string keptPrefix(const std::string &libraries) const {
    return !kept_.isEnabled() ? ""
                          : prefixFor(prefixRequest({}, libraries), nullptr);
  }

private:
  struct Prefix {
    std::string file;
    std::string libraries; ///< what it includes beside what all sources do
    std::string lacks;     ///< what it might include for the source as well
  };

  llvm::Expected<std::unique_ptr<ParsedSource>>
  parseWithPrefix(const std::vector<std::string> &more) {
    for (const Prefix &prefix : prefixesFor(more)) {
      auto attempt = parse(more, prefix);
      if (!attempt) {
        // Headers that are newer than the prefix, say.
        llvm::consumeError(attempt.takeError());
        dropPrefix(prefix.file);
      } else if (mayComeFromPrefix((*attempt)->errors)) {
        (prefix.libraries.empty() ? usesPrefix_ : usesLibraries_) = false;
      } else {
        if (!prefix.lacks.empty())
          wantLibraries(more, prefix.lacks, **attempt);
        return attempt;
      }
    }
    return parse(more, {});
  }

  /// Those that there are, the one that holds most first.
  std::vector<Prefix> prefixesFor(const std::vector<std::string> &more) {
    if (!kept_.isEnabled() || !usesPrefix_)
      return {};
    std::vector<Prefix> all;
    const std::string base = prefixOf(prefixRequest(more, ""), "");
    if (base.empty())
      return {};
    const auto [libraries, macrosBefore] = librariesBehind(base);
    if (!libraries.empty()) {
      const PrefixRequest request = prefixRequest(more, libraries);
      if (isWanted(request))
        if (std::string file = prefixOf(request, libraries);
            !file.empty() && notInPrefix(kept_, file, macrosBefore).size() ==
                                 macrosBefore.size())
          all.push_back({file, libraries, ""});
    }
    all.push_back({base, "", libraries});
    return all;
  }

  struct Libraries {
    std::string directives;
    /// Of the user's, before the last of them: what the base holds was read
    /// before any macro, and stays as it is.
    std::vector<std::string> macrosBefore;
  };

  /// What the source includes beside what `base` holds.
  Libraries librariesBehind(llvm::StringRef base) {
    // Of the headers that are read in another form, each source has its own.
    if (!usesLibraries_ || (translation_.forHost && translation_.layoutRight))
      return {};
    if (!libraries_)
      libraries_ = libraryIncludes(command_.source, command_.directory,
                                   translation_.clang, buffers_);
    const auto &[headers, macros, macrosBefore] = *libraries_;
    std::vector<std::string> names;
    for (const std::string &header : headers)
      names.push_back("<" + header);
    names = notInPrefix(kept_, base, std::move(names));
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

  /// Another source that begins like this one shall have a prefix of them.
  void wantLibraries(const std::vector<std::string> &more,
                     const std::string &libraries, const ParsedSource &parsed) {
    if (usesLibraries_ &&
        libraryBytes(parsed.instance().getSourceManager()) >= worthAPrefix)
      want(prefixRequest(more, libraries));
  }

  /// Of the text of libraries' headers, beside those of the prefix.
  static uint64_t libraryBytes(const clang::SourceManager &sources) {
    uint64_t bytes = 0;
    for (unsigned i = 0; i < sources.local_sloc_entry_size(); ++i) {
      const clang::SrcMgr::SLocEntry &entry = sources.getLocalSLocEntry(i);
      if (!entry.isFile())
        continue;
      const clang::SrcMgr::ContentCache &file =
          entry.getFile().getContentCache();
      if (file.OrigEntry &&
          (clang::SrcMgr::isSystem(entry.getFile().getFileCharacteristic()) ||
           isKokkosHeader(file.OrigEntry->getName())))
        bytes += file.getSize();
    }
    return bytes;
  }

  /// Rungs of a ladder, each tried only if the last had errors. Measured on
  /// 368 sources of public codebases: the first reads 76 % without an error,
  /// all of them together 96 %.
  std::vector<std::vector<std::string>> attempts() const {
    std::vector<std::vector<std::string>> rungs{{}};
    std::vector<std::string> asNvcc{
        "-D__NVCC__",
        llvm::formatv("-D__CUDACC_VER_MAJOR__={0}", release().major),
        llvm::formatv("-D__CUDACC_VER_MINOR__={0}", release().minor),
        llvm::formatv("-D__CUDACC_VER_BUILD__={0}", release().build)};
    rungs.push_back(asNvcc);
    // nvcc keeps GNU keywords such as typeof under -std=c++17.
    std::vector<std::string> asGnu = asNvcc;
    asGnu.push_back("-std=gnu++" + standard());
    rungs.push_back(asGnu);
    asGnu.push_back("-fgpu-rdc");
    rungs.push_back(asGnu);
    return rungs;
  }

  std::string rungKey() const {
    return Key("rung")
        .add(command_.source)
        .add(ownArguments())
        .add(translation_.clang)
        .text();
  }

  /// A text as one types it has errors more often than not, and each rung would
  /// find them again: which one the source needs is known from when it was last
  /// read from the disk.
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

  /// Of a text with errors only if there is nothing better to remember.
  void rememberRung(size_t rung, bool isClean) const {
    if (!kept_.isEnabled() || !buffers_.empty())
      return;
    const Store here(kept_.folder()); // nothing that others need
    const std::string key = rungKey(), text = std::to_string(rung);
    const std::optional<std::string> former = here.get(key);
    if (former != text && (isClean || !former))
      here.put(key, text);
  }

  /// Without a toolkit the stand-in headers are those of this release.
  Toolkit release() const {
    return toolkit_.value_or(Toolkit{"", "", "", 13, 0, 0});
  }

  std::string standard() const {
    std::string number = "17";
    for (llvm::StringRef flag : translation_.clang)
      if (flag.consume_front("-std=")) {
        flag = flag.take_back(2);
        number = flag.str();
      }
    return number;
  }

  /// What is the same for all sources of one toolkit and architecture.
  std::vector<std::string> ownArguments() const {
    std::string newest = newestArchitecture(translation_.architectures);
    std::vector<std::string> all{
        "clang++", "-x", "cuda", "--cuda-device-only",
        "--cuda-gpu-arch=" + newest, "-nocudalib",
        "-resource-dir=" + resourceDir_,
        // Like nvcc, but with the places and names of everything, and nothing
        // optimised: the IR must still say what the programmer wrote.
        "-O1", "-g", "-gcolumn-info", "-fno-discard-value-names",
        "-funroll-loops", "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm",
        "-w", "-ferror-limit=0", "-Wno-unknown-cuda-version",
        "-ftemplate-depth=2048", "-Xclang",
        // Said by the driver only where it also looks for libdevice.
        llvm::formatv("-target-sdk-version={0}.{1}", release().major,
                      release().minor)};
    if (toolkit_)
      all.push_back("--cuda-path=" + toolkit_->root);
    llvm::append_range(all, shimFlags(toolkit_.has_value()));
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

  PrefixRequest prefixRequest(const std::vector<std::string> &more,
                              const std::string &libraries) const {
    PrefixRequest request{kept_,
                          command_.directory,
                          toolkit_ ? toolkit_->root : "",
                          ownArguments(),
                          userArguments(more),
                          WARPLINT_VERSION " " CLANG_VERSION_STRING};
    for (const ShimFile &file : shimFiles())
      request.version += file.text;
    request.version += prefixText + libraries;
    for (const auto &line : llvm::split(libraries, '\n'))
      if (auto [before, name] = line.split('<'); !name.empty())
        request.headers.push_back(name.drop_back().str());
    request.version += "4"; // raised when a prefix is made in another way
    return request;
  }

  std::string prefixOf(const PrefixRequest &request,
                       const std::string &libraries) const {
    auto make = [&](const std::vector<std::string> &flags, llvm::StringRef file,
                    PrefixNames &names) {
      return makePrefix(flags, file, libraries, names);
    };
    return prefixFor(request, make);
  }

  bool makePrefix(const std::vector<std::string> &flags, llvm::StringRef file,
                  const std::string &libraries, PrefixNames &names) const {
    std::vector<ParseError> errors;
    clang::CompilerInstance clang;
    clang.setVirtualFileSystem(fileSystem(disk(), libraries));
    clang.createDiagnostics(new ErrorCollector(errors),
                            /*ShouldOwnClient=*/true);
    std::vector<std::string> all = flags;
    all.push_back(prefixSource);
    if (llvm::Error error = invoke(all, clang)) {
      llvm::consumeError(std::move(error));
      return false;
    }
    clang.getFrontendOpts().OutputFile = file.str();
    clang.getFrontendOpts().SkipFunctionBodies = true; // those LeaveOut names
    // It is temporary already, and goes if a signal ends us; Clang's stays.
    clang.getFrontendOpts().UseTemporary = false;
    // Or each source would instantiate them anew: half of its time.
    clang.getLangOpts().PCHInstantiateTemplates = true;
    clang.getDiagnosticOpts().ShowCarets = false; // nor how many there are
    PrefixAction action(names);
    return clang.ExecuteAction(action) && errors.empty();
  }

  /// What the prefix holds is not read again.
  void apply(const Prefix &prefix, const std::vector<std::string> &more,
             clang::CompilerInstance &instance) const {
    clang::PreprocessorOptions &options = instance.getPreprocessorOpts();
    const size_t users = countIncludes(userArguments(more));
    options.Includes.erase(options.Includes.begin(),
                           options.Includes.end() - users);
    options.ImplicitPCHInclude = prefix.file;
    // A new release of the toolkit or of the C++ library makes it useless.
    instance.getHeaderSearchOpts().ModulesValidateSystemHeaders = true;
  }

  llvm::Expected<std::unique_ptr<ParsedSource>>
  parse(const std::vector<std::string> &more, const Prefix &prefix) {
    auto parsed = std::make_unique<ParsedSource>();
    recorded_.push_back(llvm::makeIntrusiveRefCnt<RecordingFiles>(disk()));
    auto files = fileSystem(recorded_.back(), prefix.libraries);
    ErrorCollector *errors = new ErrorCollector(parsed->errors);

    auto instance = std::make_unique<clang::CompilerInstance>();
    instance->setVirtualFileSystem(files);
    instance->createDiagnostics(errors, /*ShouldOwnClient=*/true);
    std::vector<std::string> all = ownArguments();
    llvm::append_range(all, userArguments(more));
    all.push_back(command_.source);
    if (llvm::Error error = invoke(all, *instance))
      return error;
    if (!prefix.file.empty())
      apply(prefix, more, *instance);

    // Those that Collector names.
    instance->getFrontendOpts().SkipFunctionBodies = true;
    auto action = std::make_unique<CollectAction>(*parsed);
    parsed->prefix = prefix.file;
    parsed->libraries = prefix.libraries;
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
    if (llvm::Error error = parsed->action_->Execute())
      return error;
    return parsed;
  }

  /// A file system of its own, so that each thread has its own folder.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk() const {
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk(
        llvm::vfs::createPhysicalFileSystem().release());
    disk->setCurrentWorkingDirectory(command_.directory);
    return disk;
  }

  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
  fileSystem(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk,
             const std::string &libraries) const {
    auto overlay =
        llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(disk);
    auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    memory->setCurrentWorkingDirectory(command_.directory);
    for (const ShimFile &file : shimFiles())
      memory->addFile(file.path, 0,
                      llvm::MemoryBuffer::getMemBuffer(file.text, file.path));
    for (const auto &[path, text] : buffers_)
      memory->addFile(path, 0, llvm::MemoryBuffer::getMemBuffer(text, path));
    if (translation_.forHost && translation_.layoutRight)
      for (const ChangedHeader &header :
           withLayoutRight(translation_.clang, command_.directory)) {
        memory->addFile(
            header.path, 0,
            llvm::MemoryBuffer::getMemBufferCopy(header.text, header.path));
        (void)disk->status(header.path); // it has been read all the same
      }
    memory->addFile(
        prefixSource, 0,
        llvm::MemoryBuffer::getMemBufferCopy(prefixText + libraries));
    // Clang takes a root without bin/ for no toolkit; headers are all we need.
    if (toolkit_) {
      llvm::SmallString<256> bin(toolkit_->root);
      llvm::sys::path::make_absolute(command_.directory, bin);
      llvm::sys::path::append(bin, "bin");
      if (!llvm::sys::fs::exists(bin))
        memory->addFile(bin + "/none", 0, llvm::MemoryBuffer::getMemBuffer(""));
    }
    overlay->pushOverlay(memory);
    return overlay;
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
      // The driver leaves device code that is optimised without variables.
      instance.getInvocation().getCodeGenOpts().setDebugInfo(
          llvm::codegenoptions::LimitedDebugInfo);
      // Freed with the instance, so that many sources fit into one process.
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
  bool usesPrefix_ = true, usesLibraries_ = true;
  std::optional<LibraryIncludes> libraries_; ///< of the source
  std::vector<llvm::IntrusiveRefCntPtr<RecordingFiles>> recorded_;
};

llvm::Expected<std::unique_ptr<ParsedSource>>
parse(const Command &command, const Translation &translation,
      const std::optional<Toolkit> &toolkit, const std::string &resourceDir,
      const Store &kept, const Buffers &buffers) {
  return Parser(command, translation, toolkit, resourceDir, kept, buffers)
      .best();
}

std::string keptPrefix(const Command &command, const Translation &translation,
                       const std::optional<Toolkit> &toolkit,
                       const std::string &resourceDir, const Store &kept,
                       const std::string &libraries) {
  return Parser(command, translation, toolkit, resourceDir, kept, Buffers())
      .keptPrefix(libraries);
}

} // namespace warplint
