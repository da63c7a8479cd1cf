#include "source/shape_evaluator.h"
#include "clang/AST/Stmt.h"

namespace warplint {

bool ShapeEvaluator::holds(const clang::Expr *condition, bool wanted) {
  if (const auto known = number(condition)) {
    const bool holds = (*known != 0) == wanted;
    refusesEnd_ |= !holds && isOfEnd(condition);
    return holds;
  }
  const auto [same, isNegated] = sameAs(condition);
  const auto decided = decisions_.find(same);
  return !same || decided == decisions_.end() ||
         (note({same, 2}, decided->second) != isNegated) == wanted;
}

bool ShapeEvaluator::mayPassBlock(const clang::CompoundStmt *block,
                                  const clang::Stmt *end) {
  for (const clang::Stmt *statement : block->body()) {
    if (statement == end)
      break;
    const clang::IfStmt *leaving = leavingIf(statement);
    if (leaving && !holds(leaving->getCond(), false))
      return false;
  }
  return true;
}

/// Adds the labels of a statement in a switch, and of those that fall through
/// to it.
static void addLabels(const clang::CompoundStmt *block, const clang::Stmt *end,
                      llvm::SmallPtrSetImpl<const clang::SwitchCase *> &into) {
  for (const clang::Stmt *statement : block->body()) {
    auto *label = llvm::dyn_cast<clang::SwitchCase>(statement);
    const clang::Stmt *labelled = statement;
    for (; label; label = llvm::dyn_cast<clang::SwitchCase>(labelled)) {
      into.insert(label);
      labelled = label->getSubStmt();
    }
    if (statement == end)
      return;
    auto *inner = llvm::dyn_cast<clang::CompoundStmt>(labelled);
    const clang::Stmt *last =
        inner && !inner->body_empty() ? inner->body_back() : labelled;
    if (llvm::isa<clang::BreakStmt>(last) || leaves(last))
      into.clear();
  }
}

bool ShapeEvaluator::mayEnter(const clang::SwitchStmt *choice,
                              const clang::Stmt *end) {
  auto *block = llvm::dyn_cast<clang::CompoundStmt>(choice->getBody());
  const auto known = number(choice->getCond());
  if (!block || !known)
    return true;
  llvm::SmallPtrSet<const clang::SwitchCase *, 8> labels;
  addLabels(block, end, labels);
  bool isOther = false, hasDefault = false;
  for (const clang::SwitchCase *at = choice->getSwitchCaseList(); at;
       at = at->getNextSwitchCase()) {
    auto *label = llvm::dyn_cast<clang::CaseStmt>(at);
    if (!label) {
      hasDefault |= labels.contains(at);
      continue;
    }
    const auto value = number(label->getLHS());
    if (!value || label->getRHS())
      return true; // a range, or a template's own constant
    if (*value == *known && labels.contains(at))
      return true;
    isOther |= *value == *known;
  }
  return hasDefault && !isOther;
}

const clang::Stmt *ShapeEvaluator::callInto(
    const clang::Stmt *body,
    llvm::SmallPtrSetImpl<const clang::FunctionDecl *> &entered) {
  const clang::FunctionDecl *function = reader_.bodies_.lookup(body);
  if (!function || !entered.insert(function->getCanonicalDecl()).second)
    return nullptr;
  function = function->getCanonicalDecl();
  const auto calls = reader_.calls_.find(function);
  if (calls == reader_.calls_.end())
    return nullptr;
  const bool isUsed = calls->second.size() == 1 ||
                      decisions_.contains(function) ||
                      llvm::any_of(asked_, [&](const auto &each) {
                        return each.first.what == function;
                      });
  const auto by = isUsed ? entry(function) : std::nullopt;
  return by ? by->call : nullptr;
}

const clang::Stmt *ShapeEvaluator::shutOut(const clang::Stmt *statement) {
  llvm::SmallPtrSet<const clang::FunctionDecl *, 8> entered;
  for (const clang::Stmt *at = statement;;) {
    const clang::Stmt *parent = reader_.parents_.lookup(at);
    if (!parent) {
      at = callInto(at, entered);
      if (!at)
        return nullptr;
      continue;
    }
    if (auto *branch = llvm::dyn_cast<clang::IfStmt>(parent)) {
      if ((at == branch->getThen() || at == branch->getElse()) &&
          !holds(branch->getCond(), at == branch->getThen()))
        return at;
    } else if (auto *block = llvm::dyn_cast<clang::CompoundStmt>(parent)) {
      if (!mayPassBlock(block, at))
        return at;
      auto *choice = llvm::dyn_cast_or_null<clang::SwitchStmt>(
          reader_.parents_.lookup(block));
      if (choice && choice->getBody() == block && !mayEnter(choice, at))
        return at;
    }
    at = parent;
  }
}

/// Adds where a template's code has expressions that its instances decide.
static void addDependent(const clang::Stmt *statement,
                         llvm::DenseSet<clang::SourceLocation> &into) {
  if (!statement)
    return;
  auto *expression = llvm::dyn_cast<clang::Expr>(statement);
  auto *binary = llvm::dyn_cast<clang::BinaryOperator>(statement);
  // A conjunction begins where its left side does.
  const bool isJoined = (binary && binary->isLogicalOp()) ||
                        llvm::isa<clang::ParenExpr>(statement);
  if (expression && !isJoined && expression->isValueDependent())
    into.insert(expression->getBeginLoc());
  for (const clang::Stmt *child : statement->children())
    addDependent(child, into);
}

std::optional<bool> LaunchReader::constantTruth(
    const clang::Expr *condition,
    const llvm::DenseSet<clang::SourceLocation> &dependent) {
  condition = condition->IgnoreParenImpCasts();
  if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(condition);
      unary && unary->getOpcode() == clang::UO_LNot) {
    const auto truth = constantTruth(unary->getSubExpr(), dependent);
    return truth ? std::optional(!*truth) : std::nullopt;
  }
  auto *binary = llvm::dyn_cast<clang::BinaryOperator>(condition);
  if (!binary || !binary->isLogicalOp()) {
    const auto value = dependent.contains(condition->getBeginLoc())
                           ? constant(condition)
                           : std::nullopt;
    return value ? std::optional(*value != 0) : std::nullopt;
  }
  const bool decides = binary->getOpcode() == clang::BO_LOr;
  const auto left = constantTruth(binary->getLHS(), dependent),
             right = constantTruth(binary->getRHS(), dependent);
  if (left == decides || right == decides)
    return decides;
  return left && right ? std::optional(!decides) : std::nullopt;
}

bool LaunchReader::neverRuns(const WrittenLaunch &launch) {
  const clang::FunctionDecl *pattern =
      launch.inside ? launch.inside->getTemplateInstantiationPattern()
                    : nullptr;
  if (!pattern)
    return false;
  // A constant that no instance decides is a switch of the source, which may be
  // turned.
  llvm::DenseSet<clang::SourceLocation> dependent;
  addParents(launch.inside);
  const clang::Stmt *at = launch.expression;
  while (const clang::Stmt *parent = parents_.lookup(at)) {
    auto *branch = llvm::dyn_cast<clang::IfStmt>(parent);
    if (branch && (at == branch->getThen() || at == branch->getElse())) {
      if (dependent.empty())
        addDependent(pattern->getBody(), dependent);
      if (constantTruth(branch->getCond(), dependent) ==
          (at == branch->getElse()))
        return true;
    }
    at = parent;
  }
  return false;
}

} // namespace warplint
