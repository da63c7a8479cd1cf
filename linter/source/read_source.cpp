#include "source/read_source.h"
#include "source/ast_place.h"
#include "source/launch_reader.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace warplint {

namespace {

/// `a` of `a[i][j].x`, `s.a` of `s.a[i]`: what the bytes belong to.
const clang::Expr *objectOf(const clang::Expr *expression) {
  for (;;) {
    expression = expression->IgnoreParenCasts();
    if (auto *subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) {
      expression = subscript->getBase();
      continue;
    }
    if (auto *member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
      const clang::Expr *base = member->getBase()->IgnoreParenCasts();
      if (llvm::isa<clang::ArraySubscriptExpr>(base)) {
        expression = base;
        continue;
      }
    }
    if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression))
      if (unary->getOpcode() == clang::UO_Deref ||
          unary->getOpcode() == clang::UO_AddrOf) {
        expression = unary->getSubExpr();
        continue;
      }
    if (auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression))
      if (call->getOperator() == clang::OO_Subscript ||
          call->getOperator() == clang::OO_Call ||
          call->getOperator() == clang::OO_Star) {
        expression = call->getArg(0);
        continue;
      }
    return expression;
  }
}

class FactReader : public clang::RecursiveASTVisitor<FactReader> {
public:
  FactReader(ParsedSource &source, const Emitted &emitted)
      : instance_(source.instance()), context_(source.context()) {
    for (const auto &[name, function] : emitted.functions)
      irNames_[function->getCanonicalDecl()] = name;
  }

  SourceFacts read(ParsedSource &source) {
    // Traversed even where code generation found nothing to do: a source
    // whose kernels live in a header of its own still names them here.
    for (clang::DeclGroupRef group : source.groups)
      for (clang::Decl *decl : group)
        if (!inSystemHeader(decl->getLocation()))
          TraverseDecl(decl);
    readLaunches();
    readFiles();
    return std::move(facts_);
  }

  // Launches of templates exist in their instances only.
  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseDecl(clang::Decl *decl) {
    if (decl && decl->getLocation().isValid() &&
        llvm::isa<clang::FunctionDecl, clang::CXXRecordDecl>(decl) &&
        inSystemHeader(decl->getLocation()))
      return true;
    return RecursiveASTVisitor::TraverseDecl(decl);
  }

  bool VisitStmt(clang::Stmt *statement) {
    changed_.note(statement);
    return true;
  }

  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr *subscript) {
    return addLoad(subscript, subscript);
  }
  bool VisitMemberExpr(clang::MemberExpr *member) {
    if (llvm::isa<clang::FieldDecl, clang::VarDecl>(member->getMemberDecl()))
      addLoad(member, member);
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr *reference) {
    if (llvm::isa<clang::VarDecl>(reference->getDecl()))
      addLoad(reference, reference);
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator *unary) {
    if (unary->getOpcode() == clang::UO_Deref)
      addLoad(unary, unary);
    else if (unary->isIncrementDecrementOp())
      addBoth(unary, unary->getSubExpr());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator *binary) {
    if (binary->isAssignmentOp())
      addBoth(binary, binary->getLHS());
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *construct) {
    if (construct->getNumArgs() == 1 &&
        construct->getConstructor()->isCopyOrMoveConstructor())
      addLoad(construct, construct->getArg(0));
    return true;
  }
  bool VisitCallExpr(clang::CallExpr *call) {
    if (auto *assignment = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call)) {
      clang::OverloadedOperatorKind kind = assignment->getOperator();
      if (kind == clang::OO_Equal && call->getNumArgs() == 2) {
        // A structure copied as a whole: loaded on the right.
        addStore(call, call->getArg(0));
        return addLoad(call, call->getArg(1));
      }
      return addBoth(call, assignment->isAssignmentOp() ? call->getArg(0)
                                                        : call);
    }
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (!callee || !callee->getIdentifier())
      return true;
    llvm::StringRef name = callee->getName();
    bool onPointer = name.starts_with("atomic") || name.starts_with("__ld") ||
                     name.starts_with("__st");
    if (onPointer && call->getNumArgs())
      return addBoth(call, call->getArg(0));
    if (llvm::isa<clang::CXXMemberCallExpr>(call))
      addBoth(call, call);
    if (name == "cudaLaunchKernel" && call->getNumArgs() >= 3)
      pendingLaunches_.push_back(
          {call, kernelOf(call->getArg(0)), call->getArg(1), call->getArg(2)});
    return true;
  }
  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr *launch) {
    const clang::CallExpr *config = launch->getConfig();
    const clang::FunctionDecl *kernel = launch->getDirectCallee();
    if (config && kernel && config->getNumArgs() >= 2)
      pendingLaunches_.push_back(
          {launch, kernel, config->getArg(0), config->getArg(1)});
    return true;
  }

  bool VisitForStmt(clang::ForStmt *loop) {
    return addLoop(loop, loop->getCond());
  }
  bool VisitWhileStmt(clang::WhileStmt *loop) {
    return addLoop(loop, loop->getCond());
  }
  bool VisitDoStmt(clang::DoStmt *loop) {
    return addLoop(loop, loop->getCond());
  }

private:
  struct PendingLaunch {
    const clang::Expr *expression;
    const clang::FunctionDecl *kernel;
    const clang::Expr *grid, *block;
  };

  bool inSystemHeader(clang::SourceLocation location) const {
    return context_.getSourceManager().isInSystemHeader(location);
  }

  Place placeOf(clang::SourceLocation location) {
    return astPlace(instance_, location);
  }

  NamedAccess name(const clang::Expr *expression) {
    const clang::Expr *plain = expression->IgnoreParenImpCasts();
    if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(plain))
      if (unary->getOpcode() == clang::UO_AddrOf)
        plain = unary->getSubExpr()->IgnoreParenImpCasts();
    NamedAccess result;
    result.text = astText(context_, plain);
    result.object = astText(context_, objectOf(plain));
    clang::QualType type = plain->getType();
    // In a declaration that is not used yet, 'auto' may stand for nothing.
    if (!type.isNull() && !type->isDependentType() &&
        !type->isUndeducedType() && !type->isPlaceholderType() &&
        !type->isIncompleteType() && type->isObjectType()) {
      result.bytes = context_.getTypeSizeInChars(type).getQuantity();
      result.isPointer = type->isPointerType();
    }
    return result;
  }

  bool addLoad(const clang::Expr *at, const clang::Expr *what) {
    facts_.names.loads.add(placeOf(at->getExprLoc()), name(what));
    return true;
  }
  bool addStore(const clang::Expr *at, const clang::Expr *what) {
    facts_.names.stores.add(placeOf(at->getExprLoc()), name(what));
    return true;
  }
  bool addBoth(const clang::Expr *at, const clang::Expr *what) {
    addLoad(at, what);
    return addStore(at, what);
  }

  bool addLoop(const clang::Stmt *loop, const clang::Expr *condition) {
    if (!condition)
      return true;
    condition = condition->IgnoreParenImpCasts();
    std::string bound;
    auto *compare = llvm::dyn_cast<clang::BinaryOperator>(condition);
    if (compare && compare->isComparisonOp())
      bound = astText(context_, compare->getRHS()->IgnoreParenImpCasts());
    facts_.names.loopBounds.try_emplace(placeOf(loop->getBeginLoc()), bound);
    return true;
  }

  static const clang::FunctionDecl *kernelOf(const clang::Expr *expression) {
    expression = expression->IgnoreParenCasts();
    if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression))
      expression = unary->getSubExpr()->IgnoreParenCasts();
    if (auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression))
      return llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl());
    return nullptr;
  }

  /// After everything was seen: only then is it known which variables change.
  void readLaunches() {
    for (const PendingLaunch &pending : pendingLaunches_) {
      if (!pending.kernel)
        continue;
      auto it = irNames_.find(pending.kernel->getCanonicalDecl());
      if (it == irNames_.end())
        continue;
      Launch launch;
      launch.kernel = it->second;
      launch.place = placeOf(pending.expression->getExprLoc());
      launch.grid = readDimensions(context_, changed_, pending.grid);
      launch.block = readDimensions(context_, changed_, pending.block);
      facts_.launches.push_back(std::move(launch));
    }
  }

  void readFiles() {
    const clang::SourceManager &sources = context_.getSourceManager();
    for (auto it = sources.fileinfo_begin(); it != sources.fileinfo_end();
         ++it) {
      clang::FileID id = sources.translateFile(it->first);
      if (id.isInvalid())
        continue;
      clang::SourceLocation start = sources.getLocForStartOfFile(id);
      if (sources.isInSystemHeader(start))
        facts_.names.systemFiles.insert(placeOf(start).file);
    }
  }

  clang::CompilerInstance &instance_;
  clang::ASTContext &context_;
  SourceFacts facts_;
  ChangedVariables changed_;
  std::vector<PendingLaunch> pendingLaunches_;
  llvm::DenseMap<const clang::FunctionDecl *, std::string> irNames_;
};

} // namespace

SourceFacts readFacts(ParsedSource &source, const Emitted &emitted) {
  return FactReader(source, emitted).read(source);
}

void describeKernel(ParsedSource &source, const clang::FunctionDecl &function,
                    Kernel &kernel) {
  clang::ASTContext &context = source.context();
  kernel.name.clear();
  llvm::raw_string_ostream out(kernel.name);
  clang::PrintingPolicy policy = context.getPrintingPolicy();
  policy.SuppressInlineNamespace = true;
  function.getNameForDiagnostic(out, policy, /*Qualified=*/true);
  kernel.place = astPlace(source.instance(), function.getLocation());
  if (auto *bounds = function.getAttr<clang::CUDALaunchBoundsAttr>()) {
    auto number = [&](const clang::Expr *expression) -> unsigned {
      clang::Expr::EvalResult result;
      if (!expression || expression->isValueDependent() ||
          !expression->EvaluateAsInt(result, context))
        return 0;
      return result.Val.getInt().getExtValue();
    };
    kernel.bounds = LaunchBounds{number(bounds->getMaxThreads()),
                                 number(bounds->getMinBlocks())};
  }
}

} // namespace warplint
