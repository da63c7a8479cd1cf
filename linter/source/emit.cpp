#include "source/emit.h"
#include "source/nvcc_spelling.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/CodeGen/ModuleBuilder.h"

namespace warplint {

namespace {

/// Finds the invalid statements in one body, and its calls.
struct BodyReader : clang::RecursiveASTVisitor<BodyReader> {
  bool broken = false;
  std::vector<const clang::FunctionDecl *> callees;

  bool shouldVisitImplicitCode() const { return true; }
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitExpr(clang::Expr *expression) {
    broken |= expression->containsErrors();
    return !broken;
  }
  bool VisitDecl(clang::Decl *decl) {
    broken |= decl->isInvalidDecl();
    return !broken;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr *reference) {
    return calls(reference->getDecl());
  }
  bool VisitMemberExpr(clang::MemberExpr *member) {
    return calls(member->getMemberDecl());
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *construct) {
    return calls(construct->getConstructor());
  }
  bool calls(const clang::ValueDecl *callee) {
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(callee))
      callees.push_back(function);
    return true;
  }
};

/// Selects the functions that code generation can compile in a source with
/// errors: those without an error in their body or in anything they call.
class Soundness {
public:
  explicit Soundness(const ParsedSource &source)
      : sources_(source.instance().getSourceManager()), errors_(source.errors) {
  }

  bool of(const clang::Decl *decl) {
    if (decl->isInvalidDecl())
      return false;
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl))
      return of(function);
    if (auto *var = llvm::dyn_cast<clang::VarDecl>(decl))
      return !var->getInit() || !var->getInit()->containsErrors();
    return true;
  }

private:
  bool of(const clang::FunctionDecl *function) {
    if (const clang::FunctionDecl *definition = function->getDefinition())
      function = definition;
    // A recursive call does not change the result.
    auto [it, fresh] = sound_.try_emplace(function, true);
    if (!fresh)
      return it->second;
    bool sound = !function->isInvalidDecl();
    if (sound && function->hasBody() && !function->isDependentContext()) {
      BodyReader body;
      body.TraverseStmt(function->getBody());
      if (auto *constructor =
              llvm::dyn_cast<clang::CXXConstructorDecl>(function))
        for (clang::CXXCtorInitializer *initializer : constructor->inits())
          body.TraverseStmt(initializer->getInit());
      sound =
          !body.broken && !holdsError(function->getBody()) &&
          llvm::all_of(body.callees, [&](auto *callee) { return of(callee); });
    }
    return sound_[function] = sound;
  }

  /// A statement that Sema rejects is missing from the AST: without this, the
  /// kernel would do less than the source says.
  bool holdsError(const clang::Stmt *body) const {
    auto presumed = [&](clang::SourceLocation location) {
      return sources_.getPresumedLoc(sources_.getExpansionLoc(location));
    };
    clang::PresumedLoc begin = presumed(body->getBeginLoc()),
                       end = presumed(body->getEndLoc());
    if (begin.isInvalid() || end.isInvalid())
      return false;
    auto at = [](auto line, auto column) { return std::pair(line, column); };
    return llvm::any_of(errors_, [&](const ParseError &error) {
      return error.file == begin.getFilename() &&
             at(error.line, error.column) >=
                 at(begin.getLine(), begin.getColumn()) &&
             at(error.line, error.column) <= at(end.getLine(), end.getColumn());
    });
  }

  const clang::SourceManager &sources_;
  const std::vector<ParseError> &errors_;
  llvm::DenseMap<const clang::FunctionDecl *, bool> sound_;
};

bool isKernel(const clang::Decl *decl) {
  auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl);
  return function && function->hasAttr<clang::CUDAGlobalAttr>() &&
         function->doesThisDeclarationHaveABody() &&
         !function->isDependentContext();
}

/// Visits the declarations in namespaces and `extern "C"` one by one.
void forEachMember(clang::Decl *decl,
                   llvm::function_ref<void(clang::Decl *)> use) {
  if (!llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(decl))
    return use(decl);
  for (clang::Decl *member : llvm::cast<clang::DeclContext>(decl)->decls())
    forEachMember(member, use);
}

/// Clang puts constants without `__constant__` into constant memory; nvcc does
/// not.
void markConstantsOfClang(clang::CodeGenerator &generator,
                          llvm::Module &module) {
  for (llvm::GlobalVariable &variable : module.globals()) {
    auto *decl = llvm::dyn_cast_or_null<clang::VarDecl>(
        generator.GetDeclForMangledName(variable.getName()));
    auto *attribute = decl ? decl->getAttr<clang::CUDAConstantAttr>() : nullptr;
    if (attribute && attribute->isImplicit())
      variable.setMetadata("warplint.global",
                           llvm::MDNode::get(module.getContext(), {}));
  }
}

} // namespace

Emitted emitDevice(ParsedSource &source, llvm::LLVMContext &context) {
  Emitted emitted;
  clang::CompilerInstance &instance = source.instance();
  bool errors = !source.errors.empty();
  // Otherwise code generation does nothing. Some errors are none to nvcc.
  if (instance.getDiagnostics().hasErrorOccurred())
    instance.getDiagnostics().Reset(/*soft=*/true);

  std::unique_ptr<clang::CodeGenerator> generator =
      clang::CreateLLVMCodeGen(instance, "warplint", context);
  generator->Initialize(source.context());
  Soundness soundness(source);
  // By index: handling a declaration may append more.
  source.generator = generator.get();
  for (size_t i = 0; i < source.fromPrecompiledHeader.size(); ++i)
    generator->HandleTopLevelDecl(source.fromPrecompiledHeader[i]);
  auto emit = [&](clang::Decl *decl) {
    if (!errors || soundness.of(decl))
      generator->HandleTopLevelDecl(clang::DeclGroupRef(decl));
    else if (isKernel(decl))
      emitted.dropped.push_back(llvm::cast<clang::FunctionDecl>(decl));
  };
  for (clang::DeclGroupRef group : source.groups)
    for (clang::Decl *decl : group)
      errors ? forEachMember(decl, emit) : emit(decl);
  for (clang::VarDecl *var : source.staticMembers)
    generator->HandleCXXStaticMemberVarInstantiation(var);
  generator->HandleTranslationUnit(source.context());
  source.generator = nullptr;

  if (llvm::Module *module = generator->GetModule()) {
    restoreRegisters(*module);
    markConstantsOfClang(*generator, *module);
    for (llvm::Function &function : *module)
      if (!function.isDeclaration())
        if (auto *decl = llvm::dyn_cast_or_null<clang::FunctionDecl>(
                generator->GetDeclForMangledName(function.getName())))
          emitted.functions[function.getName().str()] = decl;
  }
  emitted.module = generator->ReleaseModule();
  return emitted;
}

} // namespace warplint
