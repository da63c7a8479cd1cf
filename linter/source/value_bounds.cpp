#include "source/shape_evaluator.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

namespace warplint {

struct ShapeEvaluator::Range {
  std::optional<int64_t> low, high;
  /// What a divisor leaves of each value, or of none.
  struct Remainder {
    int64_t divisor, value;
    bool equals;
  };
  llvm::SmallVector<Remainder, 2> remainders;
  llvm::SmallVector<int64_t, 2> refused;
  bool isPowerOfTwo = false;

  bool has(int64_t value) const {
    return (!isPowerOfTwo || llvm::has_single_bit(uint64_t(value))) &&
           !llvm::is_contained(refused, value) &&
           llvm::all_of(remainders, [&](const Remainder &each) {
             return (value % each.divisor == each.value) == each.equals;
           });
  }

  void intersect(clang::BinaryOperatorKind op, int64_t with) {
    const bool isBelow =
        op == clang::BO_LT || op == clang::BO_LE || op == clang::BO_EQ;
    const bool isAbove =
        op == clang::BO_GT || op == clang::BO_GE || op == clang::BO_EQ;
    if (isBelow) {
      const int64_t most = with - (op == clang::BO_LT);
      high = std::min(high.value_or(most), most);
    }
    if (isAbove) {
      const int64_t least = with + (op == clang::BO_GT);
      low = std::max(low.value_or(least), least);
    }
    if (op == clang::BO_NE)
      refused.push_back(with);
  }
};

bool leaves(const clang::Stmt *statement) {
  if (auto *block = llvm::dyn_cast<clang::CompoundStmt>(statement))
    return !block->body_empty() && leaves(block->body_back());
  if (auto *cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(statement))
    return leaves(cleanups->getSubExpr());
  if (auto *call = llvm::dyn_cast<clang::CallExpr>(statement))
    return call->getDirectCallee() && call->getDirectCallee()->isNoReturn();
  return llvm::isa<clang::ReturnStmt, clang::CXXThrowExpr>(statement);
}

const clang::IfStmt *leavingIf(const clang::Stmt *statement) {
  auto *branch = llvm::dyn_cast<clang::IfStmt>(statement);
  return branch && !branch->getElse() && leaves(branch->getThen()) ? branch
                                                                   : nullptr;
}

static bool isVariable(const clang::Expr *expression,
                       const clang::VarDecl *variable) {
  auto *reference =
      llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  return reference && reference->getDecl() == variable;
}

/// The sides of `a < b`, `b >= a` and their like, the lesser one first; null if
/// the expression is none of them.
static std::pair<const clang::Expr *, const clang::Expr *>
orderedBy(const clang::Expr *expression) {
  auto *condition =
      llvm::dyn_cast<clang::BinaryOperator>(expression->IgnoreParenImpCasts());
  if (!condition || !condition->isRelationalOp())
    return {};
  const bool isLess = condition->getOpcode() == clang::BO_LT ||
                      condition->getOpcode() == clang::BO_LE;
  return isLess ? std::pair(condition->getLHS(), condition->getRHS())
                : std::pair(condition->getRHS(), condition->getLHS());
}

/// Returns true for one expression, in braces or not.
static bool isOneExpression(const clang::Stmt *statement) {
  while (auto *block = llvm::dyn_cast<clang::CompoundStmt>(statement)) {
    if (block->size() != 1)
      return false;
    statement = block->body_front();
  }
  return llvm::isa<clang::Expr>(statement);
}

bool ShapeEvaluator::raises(const clang::IfStmt *branch,
                            const HostObject *object, const MemberPath &path) {
  if (!isOneExpression(branch->getThen()))
    return false;
  const auto [lesser, greater] = orderedBy(branch->getCond());
  MemberPath compared;
  if (!lesser || branch->getElse() || placeOf(lesser, compared) != object ||
      compared != path || number(branch->getCond()) || missing_.what)
    return false;
  const std::optional<Change> change =
      in(branch->getThen(), object, path).change;
  if (!change || change->with || !change->through.empty())
    return false;
  const auto bound = number(greater), taken = given(*change, path);
  return bound && bound == taken;
}

const clang::Expr *
ShapeEvaluator::bounding(const clang::ConditionalOperator *choice) {
  const auto [lesser, greater] = orderedBy(choice->getCond());
  if (!takesLargest_ || !lesser)
    return nullptr;
  auto *size = llvm::dyn_cast<clang::DeclRefExpr>(stripped(lesser));
  auto *taken =
      llvm::dyn_cast<clang::DeclRefExpr>(stripped(choice->getTrueExpr()));
  if (!size || !taken || size->getDecl() != taken->getDecl() ||
      number(lesser) || missing_.what)
    return nullptr;
  const auto bound = number(greater),
             otherwise = number(choice->getFalseExpr());
  return bound && bound == otherwise ? greater : nullptr;
}

std::optional<uint64_t> ShapeEvaluator::bounded(const clang::VarDecl *variable,
                                                const clang::Stmt *use) {
  constexpr int64_t small = 256;
  if (isOfGrid_ || !variable->getType()->isIntegralOrEnumerationType())
    return std::nullopt;
  const Range range = rangeAt(variable, use);
  if (missing_.what || !range.high || *range.high > small ||
      *range.high < range.low.value_or(1))
    return std::nullopt;
  // Sizes are at least 1.
  int64_t low = std::max<int64_t>(range.low.value_or(1), 1), high = *range.high;
  // An end that the host refuses is no value of a launch.
  while (low < high && !range.has(low))
    ++low;
  while (low < high && !range.has(high))
    --high;
  if (!range.has(high))
    return std::nullopt;
  usesEnd_ |= low < high;
  if (low >= high)
    return high;
  constexpr unsigned largest = 0, other = 2;
  const auto which = decision(variable, takesLargest_ ? 3 : 2);
  if (!which || *which == other)
    return std::nullopt;
  // "Blocks of 1 thread" is no fact that a bound from above states.
  return *which == largest || (takesLargest_ && !range.low) ? high : low;
}

ShapeEvaluator::Range ShapeEvaluator::rangeAt(const clang::VarDecl *variable,
                                              const clang::Stmt *use) {
  Range range;
  for (const clang::Stmt *at = use;;) {
    const clang::Stmt *parent = reader_.parents_.lookup(at);
    if (!parent)
      return range;
    if (auto *branch = llvm::dyn_cast<clang::IfStmt>(parent)) {
      if (at == branch->getThen() || at == branch->getElse())
        hold(branch->getCond(), at == branch->getThen(), variable, range);
    } else if (auto *choice =
                   llvm::dyn_cast<clang::ConditionalOperator>(parent)) {
      if (at != choice->getCond())
        hold(choice->getCond(), at == choice->getTrueExpr(), variable, range);
    } else if (auto *block = llvm::dyn_cast<clang::CompoundStmt>(parent)) {
      if (!passBlock(block, at, variable, range))
        return range;
    } else if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt,
                         clang::CXXForRangeStmt>(parent) &&
               changes(parent, variable, {})) {
      return range;
    }
    at = parent;
  }
}

llvm::ArrayRef<const clang::Stmt *>
ShapeEvaluator::turnsBefore(const clang::CompoundStmt *block,
                            const clang::Stmt *end, const HostObject *object) {
  auto known = reader_.turns_.find({block, object});
  if (known == reader_.turns_.end()) {
    LaunchReader::Turns turns;
    for (const clang::Stmt *statement : block->body())
      if (reader_.mayChange(statement, object, {}) || leavingIf(statement))
        turns.push_back(statement);
    known = reader_.turns_.try_emplace({block, object}, std::move(turns)).first;
  }
  const llvm::ArrayRef<const clang::Stmt *> all = known->second;
  if (!end || all.empty())
    return all;
  size_t before = 0;
  for (const clang::Stmt *statement : block->body()) {
    if (statement == end)
      break;
    before += before < all.size() && all[before] == statement;
  }
  return all.take_front(before);
}

bool ShapeEvaluator::passBlock(const clang::CompoundStmt *block,
                               const clang::Stmt *end,
                               const clang::VarDecl *variable, Range &range) {
  for (const clang::Stmt *statement :
       llvm::reverse(turnsBefore(block, end, variable))) {
    if (changes(statement, variable, {}))
      return false;
    if (const clang::IfStmt *leaving = leavingIf(statement))
      hold(leaving->getCond(), false, variable, range);
  }
  return true;
}

/// Returns true for `n - 1`.
static bool isOneLess(const clang::Expr *expression,
                      const clang::VarDecl *variable) {
  auto *less =
      llvm::dyn_cast<clang::BinaryOperator>(expression->IgnoreParenImpCasts());
  auto *one = less && less->getOpcode() == clang::BO_Sub
                  ? llvm::dyn_cast<clang::IntegerLiteral>(
                        less->getRHS()->IgnoreParenImpCasts())
                  : nullptr;
  return one && one->getValue() == 1 && isVariable(less->getLHS(), variable);
}

void ShapeEvaluator::hold(const clang::Expr *condition, bool holds,
                          const clang::VarDecl *variable, Range &range) {
  condition = condition->IgnoreParenImpCasts();
  // `n % 4`, `n & 3` and `n & (n - 1)`, which equal a number or not.
  auto leave = [&](const clang::Expr *of, bool equals, const clang::Expr *to) {
    auto *part =
        llvm::dyn_cast<clang::BinaryOperator>(of->IgnoreParenImpCasts());
    if (!part || !isVariable(part->getLHS(), variable))
      return;
    const auto value = to ? number(to) : std::optional<uint64_t>(0);
    if (!value)
      return;
    const bool isMask = part->getOpcode() == clang::BO_And;
    if (isMask && isOneLess(part->getRHS(), variable))
      range.isPowerOfTwo |= equals && !*value;
    else if (isMask || part->getOpcode() == clang::BO_Rem)
      if (const auto by = number(part->getRHS());
          by && *by && *by < 1u << 16 &&
          (!isMask || llvm::has_single_bit(*by + 1)))
        range.remainders.push_back(
            {int64_t(*by) + isMask, int64_t(*value), equals});
  };
  if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(condition);
      unary && unary->getOpcode() == clang::UO_LNot)
    return hold(unary->getSubExpr(), !holds, variable, range);
  auto *binary = llvm::dyn_cast<clang::BinaryOperator>(condition);
  if (!binary)
    return;
  // Both sides of a true `&&` hold, and neither of a false `||`.
  if (binary->getOpcode() == (holds ? clang::BO_LAnd : clang::BO_LOr)) {
    hold(binary->getLHS(), holds, variable, range);
    hold(binary->getRHS(), holds, variable, range);
    return;
  }
  if (!binary->isRelationalOp() && !binary->isEqualityOp()) {
    leave(binary, !holds, nullptr);
    return;
  }
  if (binary->isEqualityOp())
    leave(binary->getLHS(), (binary->getOpcode() == clang::BO_EQ) == holds,
          binary->getRHS());
  auto op = binary->getOpcode();
  const clang::Expr *other = binary->getRHS();
  if (!isVariable(binary->getLHS(), variable)) {
    if (!isVariable(other, variable))
      return;
    other = binary->getLHS();
    op = clang::BinaryOperator::reverseComparisonOp(op);
  }
  if (!holds)
    op = clang::BinaryOperator::negateComparisonOp(op);
  if (auto with = number(other))
    range.intersect(op, *with);
}

} // namespace warplint
