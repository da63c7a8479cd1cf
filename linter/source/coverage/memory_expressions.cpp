#include "source/coverage/memory_expressions.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace warplint {

namespace {

enum class Memory { None, Own, Other };

/// The memory that holds an lvalue: none for a scalar variable of the thread,
/// the thread's own array, or memory behind a pointer, a reference or a global.
Memory memoryOf(const clang::Expr *expression) {
  bool subscripted = false;
  for (;;) {
    expression = expression->IgnoreParens();
    if (auto *cast = llvm::dyn_cast<clang::CastExpr>(expression)) {
      if (cast->getCastKind() == clang::CK_LValueToRValue)
        return Memory::Other; // the value of a pointer
      expression = cast->getSubExpr();
      continue;
    }
    if (auto *value = llvm::dyn_cast<clang::OpaqueValueExpr>(expression)) {
      if (!value->getSourceExpr())
        return Memory::None;
      expression = value->getSourceExpr();
      continue;
    }
    if (auto *member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
      if (member->isArrow() ||
          llvm::isa<clang::VarDecl>(member->getMemberDecl()) ||
          member->getMemberDecl()->getType()->isReferenceType())
        return Memory::Other;
      expression = member->getBase();
      continue;
    }
    if (auto *subscript =
            llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) {
      subscripted = true;
      const clang::Expr *base = subscript->getBase()->IgnoreParens();
      auto *decay = llvm::dyn_cast<clang::CastExpr>(base);
      if (!base->getType()->isVectorType() &&
          (!decay || decay->getCastKind() != clang::CK_ArrayToPointerDecay))
        return Memory::Other;
      expression = decay ? decay->getSubExpr() : base;
      continue;
    }
    if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
      if (unary->getOpcode() == clang::UO_Deref)
        return Memory::Other;
      if (unary->isIncrementDecrementOp())
        return Memory::None; // the value is just computed
      expression = unary->getSubExpr();
      continue;
    }
    if (auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expression)) {
      if (binary->getOpcode() != clang::BO_Comma)
        return Memory::None;
      expression = binary->getRHS();
      continue;
    }
    if (auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
      if (auto *binding =
              llvm::dyn_cast<clang::BindingDecl>(reference->getDecl())) {
        if (!binding->getBinding())
          return Memory::None;
        expression = binding->getBinding();
        continue;
      }
      auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
      if (!variable)
        return Memory::None;
      if (variable->getType()->isReferenceType() ||
          variable->hasGlobalStorage())
        return Memory::Other;
      return subscripted ? Memory::Own : Memory::None;
    }
    if (llvm::isa<clang::CallExpr>(expression))
      return expression->isLValue() ? Memory::Other : Memory::None;
    return Memory::None;
  }
}

bool isOnMemory(llvm::StringRef name) {
  if (name == "atomicInc" || name.starts_with("atomic"))
    return true;
  static constexpr llvm::StringRef loadsAndStores[] = {
      "__ldg",  "__ldcs", "__ldca", "__ldcg", "__ldlu",
      "__ldcv", "__stcs", "__stcg", "__stwb", "__stwt"};
  return llvm::is_contained(loadsAndStores, name) || name == "memcpy" ||
         name == "memset" || name == "memcpy_async" ||
         name == "__pipeline_memcpy_async" || name == "__builtin_memcpy" ||
         name == "__builtin_memset" ||
         name.starts_with("__builtin_nontemporal");
}

class BodyReader : public clang::RecursiveASTVisitor<BodyReader> {
public:
  explicit BodyReader(clang::ASTContext &context) : context_(context) {}
  FunctionMemory body;

  void read(const clang::FunctionDecl &function) {
    if (auto *constructor =
            llvm::dyn_cast<clang::CXXConstructorDecl>(&function))
      for (clang::CXXCtorInitializer *initializer : constructor->inits()) {
        if (const clang::FieldDecl *field = initializer->getAnyMember())
          body.touched.insert(field->getLocation());
        TraverseStmt(initializer->getInit());
      }
    TraverseStmt(function.getBody());
  }

  // These operands are not evaluated.
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr *) {
    return true;
  }
  bool TraverseCXXNoexceptExpr(clang::CXXNoexceptExpr *) { return true; }
  bool TraverseRequiresExpr(clang::RequiresExpr *) { return true; }
  bool TraverseConstantExpr(clang::ConstantExpr *) { return true; }
  bool TraverseStaticAssertDecl(clang::StaticAssertDecl *) { return true; }
  bool TraverseTypeLoc(clang::TypeLoc, bool = true) { return true; }
  bool TraverseCXXRecordDecl(clang::CXXRecordDecl *) { return true; }
  /// Only the captures: the body is read as a callee.
  bool TraverseLambdaExpr(clang::LambdaExpr *lambda) {
    for (clang::Expr *captured : lambda->capture_inits())
      if (captured && !TraverseStmt(captured))
        return false;
    return true;
  }
  /// The semantic form has the conversions.
  bool TraverseInitListExpr(clang::InitListExpr *list) {
    if (list->getSemanticForm())
      list = list->getSemanticForm();
    for (clang::Expr *init : list->inits())
      if (init && !TraverseStmt(init))
        return false;
    return WalkUpFromInitListExpr(list);
  }
  bool TraverseCXXDefaultArgExpr(clang::CXXDefaultArgExpr *argument) {
    return TraverseStmt(argument->getExpr());
  }
  bool TraverseCXXDefaultInitExpr(clang::CXXDefaultInitExpr *init) {
    return TraverseStmt(init->getExpr());
  }

  bool TraverseIfStmt(clang::IfStmt *branch) {
    if (!branch->getCond())
      return true;
    TraverseStmt(branch->getInit());
    TraverseStmt(branch->getConditionVariableDeclStmt());
    std::optional<bool> way = known(branch->getCond());
    TraverseStmt(branch->getCond());
    traverseUnless(way == false, branch->getThen());
    traverseUnless(way == true, branch->getElse());
    return true;
  }
  bool TraverseConditionalOperator(clang::ConditionalOperator *choice) {
    std::optional<bool> way = known(choice->getCond());
    TraverseStmt(choice->getCond());
    traverseUnless(way == false, choice->getTrueExpr());
    traverseUnless(way == true, choice->getFalseExpr());
    return true;
  }
  bool TraverseBinaryOperator(clang::BinaryOperator *binary) {
    if (!binary->isLogicalOp())
      return RecursiveASTVisitor::TraverseBinaryOperator(binary);
    std::optional<bool> way = known(binary->getLHS());
    TraverseStmt(binary->getLHS());
    traverseUnless(way && *way == (binary->getOpcode() == clang::BO_LOr),
                   binary->getRHS());
    return true;
  }
  bool TraverseWhileStmt(clang::WhileStmt *loop) {
    std::optional<bool> way = known(loop->getCond());
    TraverseStmt(loop->getConditionVariableDeclStmt());
    TraverseStmt(loop->getCond());
    traverseUnless(way == false, loop->getBody());
    return true;
  }

  bool VisitExpr(clang::Expr *expression) {
    bool touches = expression->isLValue() || expression->isXValue() ||
                   llvm::isa<clang::CallExpr, clang::CXXConstructExpr,
                             clang::InitListExpr>(expression);
    if (auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expression))
      touches |= binary->isAssignmentOp();
    if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression))
      touches |= unary->isIncrementDecrementOp();
    if (touches) {
      body.touched.insert(expression->getExprLoc());
      body.touched.insert(expression->getBeginLoc());
    }
    return true;
  }
  /// An initialiser stores at the variable's name.
  bool VisitVarDecl(clang::VarDecl *variable) {
    body.touched.insert(variable->getLocation());
    return true;
  }
  bool VisitReturnStmt(clang::ReturnStmt *statement) {
    body.touched.insert(statement->getBeginLoc());
    return true;
  }
  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt *loop) {
    body.touched.insert(loop->getColonLoc());
    return true;
  }

  bool VisitCastExpr(clang::CastExpr *cast) {
    if (cast->getCastKind() == clang::CK_LValueToRValue ||
        cast->getCastKind() == clang::CK_LValueToRValueBitCast)
      add(cast->getSubExpr(), cast->getSubExpr()->IgnoreParens()->getExprLoc(),
          Operation::Load, cast);
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator *binary) {
    if (!binary->isAssignmentOp())
      return true;
    add(binary->getLHS(), binary->getExprLoc(), Operation::Store);
    if (binary->isCompoundAssignmentOp())
      add(binary->getLHS(), binary->getExprLoc(), Operation::Load);
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator *unary) {
    if (!unary->isIncrementDecrementOp())
      return true;
    add(unary->getSubExpr(), unary->getExprLoc(), Operation::Store);
    add(unary->getSubExpr(), unary->getExprLoc(), Operation::Load);
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *construct) {
    const clang::CXXConstructorDecl *constructor = construct->getConstructor();
    if (constructor->isCopyOrMoveConstructor() && constructor->isTrivial() &&
        construct->getNumArgs() == 1 && !isEmpty(construct->getType()))
      add(construct->getArg(0), construct->getExprLoc(), Operation::Load);
    return calls(constructor);
  }
  bool VisitCallExpr(clang::CallExpr *call) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (!callee)
      return true;
    auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
    bool copies = method && method->isTrivial() &&
                  (method->isCopyAssignmentOperator() ||
                   method->isMoveAssignmentOperator()) &&
                  llvm::isa<clang::CXXOperatorCallExpr>(call);
    if (copies && !isEmpty(call->getArg(0)->getType())) {
      add(call->getArg(0), call->getExprLoc(), Operation::Store);
      add(call->getArg(1), call->getExprLoc(), Operation::Load);
    }
    if (callee->getIdentifier() && isOnMemory(callee->getName()) && !method &&
        call->getNumArgs())
      body.expressions.push_back({call, call->getExprLoc(), Operation::Atomic,
                                  /*isCall=*/true, false, dead_ != 0});
    return calls(callee);
  }
  bool VisitAtomicExpr(clang::AtomicExpr *atomic) {
    body.expressions.push_back({atomic, atomic->getExprLoc(), Operation::Atomic,
                                /*isCall=*/true, false, dead_ != 0});
    return true;
  }

private:
  std::optional<bool> known(const clang::Expr *condition) const {
    bool result = false;
    if (!condition || condition->isValueDependent() ||
        !condition->EvaluateAsBooleanCondition(result, context_))
      return std::nullopt;
    return result;
  }
  void traverseUnless(bool dead, clang::Stmt *branch) {
    dead_ += dead;
    TraverseStmt(branch);
    dead_ -= dead;
  }
  static bool isEmpty(clang::QualType type) {
    const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
    return record && record->isEmpty();
  }
  bool calls(const clang::FunctionDecl *callee) {
    if (!dead_)
      body.callees.push_back(callee);
    return true;
  }
  void add(const clang::Expr *lvalue, clang::SourceLocation location,
           Operation operation, const clang::Expr *value = nullptr) {
    if (memoryOf(lvalue) == Memory::None)
      return;
    clang::Expr::EvalResult ignored;
    bool constant = value && !value->isValueDependent() &&
                    value->EvaluateAsRValue(ignored, context_);
    if (constant && llvm::isa<clang::DeclRefExpr>(lvalue->IgnoreParens()))
      return; // a named constant
    body.expressions.push_back({lvalue->IgnoreParenImpCasts(), location,
                                operation, false, constant, dead_ != 0});
  }

  clang::ASTContext &context_;
  unsigned dead_ = 0; ///< enclosing branches that are never taken
};

} // namespace

FunctionMemory memoryExpressions(const clang::FunctionDecl &function,
                                 clang::ASTContext &context) {
  BodyReader reader(context);
  reader.read(function);
  return std::move(reader.body);
}

} // namespace warplint
