#include "source/precompile.h"
#include "source/clang_command.h"
#include "source/error_collector.h"
#include "source/foreign_lines.h"
#include "source/header_choice.h"
#include "source/macros_before_libraries.h"
#include "source/nvcc_spelling.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "clang/Serialization/ASTReader.h"
#include "clang/Serialization/ASTWriter.h"

namespace warplint {

/// Returns true for `std` and GCC's extensions of it, not for `cuda::std`.
static bool isOfStandardLibrary(const clang::Decl &decl) {
  const clang::DeclContext *outermost = decl.getDeclContext();
  while (!outermost->isTranslationUnit() &&
         !outermost->getParent()->isTranslationUnit())
    outermost = outermost->getParent();
  auto *space = llvm::dyn_cast<clang::NamespaceDecl>(outermost);
  return space &&
         (space->getName() == "std" || space->getName() == "__gnu_cxx");
}

bool knowsNoKernel(clang::Decl &decl) {
  const clang::FunctionDecl *function = decl.getAsFunction();
  // kokkos_policy reads its body.
  if (function && function->getIdentifier() &&
      function->getName() == "get_tile_size_properties")
    return false;
  return function && !function->hasAttr<clang::CUDADeviceAttr>() &&
         !function->hasAttr<clang::CUDAGlobalAttr>() &&
         decl.getASTContext().getSourceManager().isInSystemHeader(
             decl.getLocation()) &&
         (!function->isTemplated() ||
          (!function->getDescribedFunctionTemplate() &&
           isOfStandardLibrary(decl)));
}

namespace {

/// Drops the data for warnings, which are off.
void leaveOutWarnings(clang::Sema &sema) {
  sema.UnusedFileScopedDecls = {};
  sema.DeleteExprs.clear();
}

/// Leaves out of a precompiled header what every source would load for nothing:
/// bodies that cannot reach a kernel, the functions with deferred diagnostics
/// that wait for a kernel to call them (there is none in a library), and the
/// data for warnings, which are off.
class LeaveOut : public clang::SemaConsumer {
public:
  void InitializeSema(clang::Sema &sema) override { sema_ = &sema; }
  bool shouldSkipFunctionBody(clang::Decl *decl) override {
    return knowsNoKernel(*decl);
  }
  void HandleTranslationUnit(clang::ASTContext &) override {
    sema_->DeclsToCheckForDeferredDiags.clear();
    leaveOutWarnings(*sema_);
  }

private:
  clang::Sema *sema_ = nullptr;
};

/// Writes a precompiled header and collects the names that it depends on.
class PrecompileAction : public clang::GeneratePCHAction {
public:
  explicit PrecompileAction(PrecompiledHeaderNames &names) : names_(names) {}

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
      explicit Includes(PrecompiledHeaderNames &names) : names(names) {}
      void InclusionDirective(clang::SourceLocation, const clang::Token &,
                              llvm::StringRef file, bool,
                              clang::CharSourceRange,
                              clang::OptionalFileEntryRef, llvm::StringRef,
                              llvm::StringRef, const clang::Module *, bool,
                              clang::SrcMgr::CharacteristicKind) override {
        auto [first, rest] = file.split('/');
        names.insert(("<" + first + (rest.empty() ? "" : "/")).str());
      }
      PrecompiledHeaderNames &names;
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
  PrecompiledHeaderNames &names_;
};

/// Writes a preamble and remembers what the user's headers declare.
class PreambleWriter : public clang::PCHGenerator {
public:
  PreambleWriter(clang::CompilerInstance &clang, llvm::StringRef sysroot,
                 std::unique_ptr<llvm::raw_ostream> out,
                 MadePreamble &made)
      : PCHGenerator(clang.getPreprocessor(), clang.getModuleCache(), "",
                     sysroot, std::make_shared<clang::PCHBuffer>(),
                     clang.getCodeGenOpts(), {}),
        sources_(clang.getSourceManager()), out_(std::move(out)),
        made_(made) {}

  void InitializeSema(clang::Sema &sema) override {
    PCHGenerator::InitializeSema(sema);
    sema_ = &sema;
  }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl *decl : group)
      if (!sources_.isInSystemHeader(decl->getLocation()))
        declared_.push_back(decl);
    return true;
  }

  bool shouldSkipFunctionBody(clang::Decl *decl) override {
    return knowsNoKernel(*decl);
  }

  void HandleTranslationUnit(clang::ASTContext &context) override {
    leaveOutWarnings(*sema_);
    PCHGenerator::HandleTranslationUnit(context);
    if (!hasEmittedPCH())
      return;
    *out_ << llvm::StringRef(getPCH().data(), getPCH().size());
    for (const clang::Decl *decl : declared_)
      made_.declarations.push_back(getWriter().getDeclID(decl).getRawValue());
    // Clang does not write the first one.
    for (unsigned i = 1; i < sources_.local_sloc_entry_size(); ++i)
      if (sources_.getLocalSLocEntry(i).isFile())
        made_.files.push_back(i - 1);
  }

private:
  const clang::SourceManager &sources_;
  const std::unique_ptr<llvm::raw_ostream> out_;
  MadePreamble &made_;
  std::vector<const clang::Decl *> declared_;
  clang::Sema *sema_ = nullptr;
};

class PreambleAction : public clang::ASTFrontendAction {
public:
  PreambleAction(MadePreamble &made, std::set<std::string> &macros)
      : made_(made), macros_(macros) {}

  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &clang,
                    llvm::StringRef file) override {
    std::string sysroot, name;
    if (!clang::GeneratePCHAction::ComputeASTConsumerArguments(clang, sysroot))
      return nullptr;
    auto out = clang::GeneratePCHAction::CreateOutputFile(clang, file, name);
    if (!out)
      return nullptr;
    return std::make_unique<PreambleWriter>(clang, sysroot, std::move(out),
                                            made_);
  }

  bool BeginSourceFileAction(clang::CompilerInstance &clang) override {
    clang.getLangOpts().CompilingPCH = true;
    acceptNvccSpelling(clang.getPreprocessor(), none_, SeeToken());
    undoForeignLines(clang.getPreprocessor());
    clang.getPreprocessor().addPPCallbacks(
        std::make_unique<MacrosBeforeLibraries>(clang.getSourceManager(),
                                                namesOf(made_.libraries),
                                                macros_));
    return true;
  }

  clang::TranslationUnitKind getTranslationUnitKind() override {
    return clang::TU_Prefix;
  }
  bool hasASTFileSupport() const override { return false; }

private:
  MadePreamble &made_;
  std::set<std::string> &macros_; ///< before the base's libraries
  const MissingSpaces none_;
};

void writeTo(llvm::StringRef file, clang::CompilerInstance &clang) {
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

} // namespace

bool writePrecompiledHeader(const ParseRequest &request,
                            std::vector<std::string> words,
                            const TextForClang &headers, llvm::StringRef file,
                            PrecompiledHeaderNames &names) {
  std::vector<ParseError> errors;
  clang::CompilerInstance clang;
  clang.setVirtualFileSystem(
      filesForClang(request, diskFor(request), {}, headers));
  clang.createDiagnostics(collectErrors(errors).release(),
                          /*ShouldOwnClient=*/true);
  words.push_back(headers.path);
  if (llvm::Error error = invoke(request, words, clang)) {
    llvm::consumeError(std::move(error));
    return false;
  }
  writeTo(file, clang);
  PrecompileAction action(names);
  return clang.ExecuteAction(action) && errors.empty();
}

bool writePreamble(const ParseRequest &request,
                   const std::vector<std::string> &user,
                   const ParsedBefore &base, const TextForClang &directives,
                   FileSystem disk, llvm::StringRef file,
                   MadePreamble &made) {
  std::vector<ParseError> errors;
  std::vector<TextForClang> texts = base.texts;
  texts.push_back(directives);
  clang::CompilerInstance clang;
  clang.setVirtualFileSystem(filesForClang(request, disk, {}, texts));
  clang.createDiagnostics(collectErrors(errors).release(),
                          /*ShouldOwnClient=*/true);
  std::vector<std::string> words = sharedFlags(request);
  llvm::append_range(words, user);
  words.push_back(directives.path);
  if (llvm::Error error = invoke(request, words, clang)) {
    llvm::consumeError(std::move(error));
    return false;
  }
  continueFrom(base, user, clang);
  clang.getPreprocessorOpts().GeneratePreamble = true;
  writeTo(file, clang);
  std::set<std::string> macros;
  PreambleAction action(made, macros);
  return clang.ExecuteAction(action) && errors.empty() &&
         !mayBeChanged(request, base, macros);
}

std::vector<clang::Decl *>
declarationsOf(const clang::CompilerInstance &instance, llvm::StringRef file,
               llvm::ArrayRef<uint64_t> numbers) {
  std::vector<clang::Decl *> all;
  clang::ASTReader *reader = instance.getASTReader().get();
  clang::serialization::ModuleFile *in =
      reader ? reader->getModuleManager().lookupByFileName(file) : nullptr;
  if (!in)
    return all;
  for (uint64_t number : numbers)
    if (clang::Decl *decl = reader->GetLocalDecl(
            *in, clang::LocalDeclID::get(*reader, *in, number)))
      all.push_back(decl);
  return all;
}

} // namespace warplint
