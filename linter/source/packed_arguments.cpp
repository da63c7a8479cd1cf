#include "source/packed_arguments.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace warplint {
namespace {

const clang::VarDecl *variableIn(const clang::Expr *expression) {
  auto *use =
      llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenCasts());
  return use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
}

/// Counts, in a function, the uses of an array that are no argument of a
/// launch, and those behind its declaration that may change what it points to.
class Changes : public clang::RecursiveASTVisitor<Changes> {
public:
  explicit Changes(const clang::VarDecl *array) : array_(array) {}

  void add(const clang::VarDecl *pointedTo) { pointedTo_.insert(pointedTo); }

  bool VisitDeclRefExpr(clang::DeclRefExpr *use) {
    auto *variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    count += variable == array_ || isCounted(variable, use);
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr *cast) {
    auto *read = cast->getCastKind() == clang::CK_LValueToRValue
                     ? llvm::dyn_cast<clang::DeclRefExpr>(
                           cast->getSubExpr()->IgnoreParens())
                     : nullptr;
    if (read)
      count -= isCounted(llvm::dyn_cast<clang::VarDecl>(read->getDecl()), read);
    return true;
  }
  bool VisitCallExpr(clang::CallExpr *call) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (callee && callee->getIdentifier() &&
        callee->getName().starts_with("cudaLaunch"))
      for (const clang::Expr *argument : call->arguments())
        count -= variableIn(argument) == array_;
    return true;
  }

  int count = 0;

private:
  bool isCounted(const clang::VarDecl *variable,
                 const clang::DeclRefExpr *use) const {
    return pointedTo_.contains(variable) &&
           array_->getEndLoc() < use->getLocation();
  }

  const clang::VarDecl *array_;
  llvm::SmallPtrSet<const clang::VarDecl *, 8> pointedTo_;
};

} // namespace

std::vector<const clang::Expr *>
packedArguments(const clang::Expr *packed, const clang::FunctionDecl *inside) {
  const clang::VarDecl *array = variableIn(packed);
  if (!array || !array->isLocalVarDecl() || !array->getInit() || !inside ||
      !inside->hasBody())
    return {};
  auto *list =
      llvm::dyn_cast<clang::InitListExpr>(array->getInit()->IgnoreImplicit());
  if (!list)
    return {};
  Changes changes(array);
  std::vector<const clang::Expr *> result;
  for (const clang::Expr *element : list->inits()) {
    auto *address =
        llvm::dyn_cast<clang::UnaryOperator>(element->IgnoreParenCasts());
    if (!address || address->getOpcode() != clang::UO_AddrOf)
      return {};
    const clang::VarDecl *pointedTo = variableIn(address->getSubExpr());
    if (!pointedTo)
      return {};
    changes.add(pointedTo);
    result.push_back(address->getSubExpr());
  }
  changes.TraverseStmt(inside->getBody());
  return changes.count == 0 ? result : std::vector<const clang::Expr *>();
}

} // namespace warplint
