#include "source/kokkos/recommended_tile.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

namespace warplint {

namespace {

std::optional<uint64_t> literal(const clang::Expr *expression) {
  auto *number =
      llvm::dyn_cast<clang::IntegerLiteral>(expression->IgnoreParenImpCasts());
  return number ? std::optional(number->getValue().getZExtValue())
                : std::nullopt;
}

/// Returns true for `Rank == 2`.
bool comparesWith(const clang::Expr *condition, uint64_t rank) {
  auto *compared =
      llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts());
  return compared && compared->getOpcode() == clang::BO_EQ &&
         (literal(compared->getLHS()) == rank ||
          literal(compared->getRHS()) == rank);
}

/// The lists of `rank` numbers that a statement holds, in its order.
void addLists(const clang::Stmt *statement, unsigned rank,
              std::vector<std::vector<uint64_t>> &lists) {
  if (!statement)
    return;
  if (auto *list = llvm::dyn_cast<clang::InitListExpr>(statement);
      list && list->getNumInits() == rank) {
    std::vector<uint64_t> numbers;
    for (const clang::Expr *element : list->inits())
      if (auto number = literal(element))
        numbers.push_back(*number);
    if (numbers.size() == rank)
      lists.push_back(std::move(numbers));
    return;
  }
  for (const clang::Stmt *child : statement->children())
    addLists(child, rank, lists);
}

/// The lists in the branches for this rank. A later `else` is for other ranks,
/// unless an `else if` in it asks for the rank again.
void addListsFor(const clang::Stmt *statement, unsigned rank,
                 std::vector<std::vector<uint64_t>> &lists) {
  if (!statement)
    return;
  auto *branch = llvm::dyn_cast<clang::IfStmt>(statement);
  if (branch && comparesWith(branch->getCond(), rank)) {
    addLists(branch->getThen(), rank, lists);
    return addListsFor(branch->getElse(), rank, lists);
  }
  for (const clang::Stmt *child : statement->children())
    addListsFor(child, rank, lists);
}

} // namespace

const clang::NamedDecl *inKokkosImpl(llvm::StringRef name,
                                     clang::ASTContext &context) {
  const clang::DeclContext *scope = context.getTranslationUnitDecl();
  for (llvm::StringRef each : {"Kokkos", "Impl"}) {
    auto found = scope->lookup(&context.Idents.get(each));
    auto *inner = found.empty()
                      ? nullptr
                      : llvm::dyn_cast<clang::NamespaceDecl>(found.front());
    if (!inner)
      return nullptr;
    scope = inner;
  }
  auto found = scope->lookup(&context.Idents.get(name));
  return found.empty() ? nullptr : found.front();
}

static const clang::FunctionDecl *recommendation(clang::ASTContext &context) {
  auto *any = llvm::dyn_cast_or_null<clang::ClassTemplateDecl>(
      inKokkosImpl("TileSizeRecommended", context));
  if (!any)
    return nullptr;
  for (const clang::ClassTemplateSpecializationDecl *special :
       any->specializations()) {
    const clang::CXXRecordDecl *space =
        special->getTemplateArgs()[0].getKind() == clang::TemplateArgument::Type
            ? special->getTemplateArgs()[0].getAsType()->getAsCXXRecordDecl()
            : nullptr;
    if (!space || space->getName() != "Cuda" || !special->hasDefinition())
      continue;
    for (const clang::NamedDecl *decl :
         special->getDefinition()->lookup(&context.Idents.get("get")))
      if (auto *get = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl))
        if (get->getTemplatedDecl()->getNumParams() == 1)
          return get->getTemplatedDecl()->getDefinition();
  }
  return nullptr;
}

std::vector<uint64_t> recommendedTile(unsigned rank, bool isRight,
                                      clang::ASTContext &context) {
  const clang::FunctionDecl *get = recommendation(context);
  if (!get || !get->hasBody())
    return {};
  std::vector<std::vector<uint64_t>> lists;
  addListsFor(get->getBody(), rank, lists);
  if (lists.empty() || lists.size() > 2)
    return {};
  // One list serves both directions, or the second one is the turned first.
  std::vector<uint64_t> tile = lists.front();
  if (isRight)
    std::reverse(tile.begin(), tile.end());
  if (isRight && lists.size() == 2 && lists.back() != tile)
    return {};
  return tile;
}

} // namespace warplint
