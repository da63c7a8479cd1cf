#include "source/emit.h"
#include "source/nvcc_spelling.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/CodeGen/ModuleBuilder.h"

namespace warplint {

namespace {

/// Tells which types have a layout: code generation crashes on a structure with
/// a member of a type that nobody defines.
class Layouts {
public:
  /// Keeps debug information from describing the structures without one.
  void omitFromDebugInfo(const clang::ASTContext &context) {
    // By index: a record of a precompiled header brings types along.
    for (size_t i = 0; i < context.getTypes().size(); ++i)
      if (const clang::CXXRecordDecl *record =
              context.getTypes()[i]->getAsCXXRecordDecl())
        if (clang::CXXRecordDecl *definition = record->getDefinition();
            definition && !definition->isDependentContext() &&
            !have(*definition))
          definition->setCompleteDefinitionRequired(false);
  }

  /// Pointers to what has no layout have none, either: they are for access.
  bool have(clang::QualType type) {
    while (!type.isNull() && !type->getPointeeType().isNull())
      type = type->getPointeeType();
    return type.isNull() || haveValues(type);
  }

  bool have(const clang::CXXRecordDecl &declared) {
    // What is only declared may be named all the same; Clang finds where not.
    const clang::CXXRecordDecl *record = declared.getDefinition();
    if (!record || record->isInvalidDecl())
      return !record;
    auto [it, fresh] = known_.try_emplace(record, true);
    if (!fresh)
      return it->second;
    const bool all =
        llvm::all_of(
            record->bases(),
            [&](const auto &base) { return haveValues(base.getType()); }) &&
        llvm::all_of(record->fields(), [&](const auto *field) {
          return !field->isInvalidDecl() && haveValues(field->getType());
        });
    return known_[record] = all;
  }

private:
  bool haveValues(clang::QualType type) {
    if (type->isDependentType())
      return true;
    const clang::CXXRecordDecl *record =
        type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    return !record || have(*record);
  }

  llvm::DenseMap<const clang::CXXRecordDecl *, bool> known_;
};

/// Finds the invalid statements in one body, and its calls.
struct BodyReader : clang::RecursiveASTVisitor<BodyReader> {
  explicit BodyReader(Layouts &layouts) : layouts(layouts) {}

  Layouts &layouts;
  bool broken = false;
  std::vector<const clang::FunctionDecl *> callees;

  bool shouldVisitImplicitCode() const { return true; }
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitExpr(clang::Expr *expression) {
    broken |=
        expression->containsErrors() || !layouts.have(expression->getType());
    return !broken;
  }
  bool VisitDecl(clang::Decl *decl) {
    auto *var = llvm::dyn_cast<clang::VarDecl>(decl);
    broken |= decl->isInvalidDecl() || (var && !layouts.have(var->getType()));
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
    if (!errors_.empty())
      layouts_.omitFromDebugInfo(source.context());
  }

  bool of(const clang::Decl *decl) {
    if (decl->isInvalidDecl())
      return false;
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl))
      return of(function);
    if (auto *var = llvm::dyn_cast<clang::VarDecl>(decl))
      return layouts_.have(var->getType()) &&
             (!var->getInit() || !var->getInit()->containsErrors());
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
    bool sound = !function->isInvalidDecl() &&
                 llvm::all_of(function->parameters(), [&](const auto *value) {
                   return layouts_.have(value->getType());
                 });
    if (sound && function->hasBody() && !function->isDependentContext()) {
      BodyReader body(layouts_);
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
  Layouts layouts_;
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

void leaveOutAlike(const ParsedSource &source, Emitted &emitted) {
  std::vector<const clang::FunctionDecl *> kernels;
  for (clang::DeclGroupRef group : source.groups)
    for (const clang::Decl *decl : group)
      if (isKernel(decl))
        kernels.push_back(llvm::cast<clang::FunctionDecl>(decl));
  emitted.alike = alikeInstances(kernels);
  for (const AlikeInstances &instances : emitted.alike)
    emitted.leftOut.insert_range(instances.leftOut);
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
  leaveOutAlike(source, emitted);
  auto emit = [&](clang::Decl *decl) {
    if (emitted.isLeftOut(decl))
      return;
    if (!errors || soundness.of(decl))
      generator->HandleTopLevelDecl(clang::DeclGroupRef(decl));
    else if (isKernel(decl))
      emitted.dropped.push_back(llvm::cast<clang::FunctionDecl>(decl));
  };
  for (clang::DeclGroupRef group : source.groups)
    for (clang::Decl *decl : group)
      errors ? forEachMember(decl, emit) : emit(decl);
  for (clang::VarDecl *var : source.staticMembers)
    if (!errors || soundness.of(var))
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
