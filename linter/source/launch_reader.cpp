#include "source/launch_reader.h"
#include "model/same_pointers.h"
#include "source/host_changes.h"
#include "source/known_bytes.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <map>
#include <numeric>

namespace warplint {

namespace {

std::optional<uint64_t> apply(clang::BinaryOperatorKind op, int64_t a,
                              int64_t b) {
  switch (op) {
  case clang::BO_Add:
    return a + b;
  case clang::BO_Sub:
    return a - b;
  case clang::BO_Mul:
    return a * b;
  case clang::BO_Div:
    return b ? std::optional<uint64_t>(a / b) : std::nullopt;
  case clang::BO_Rem:
    return b ? std::optional<uint64_t>(a % b) : std::nullopt;
  case clang::BO_Shl:
    return b >= 0 && b < 64 ? std::optional<uint64_t>(a << b) : std::nullopt;
  case clang::BO_Shr:
    return b >= 0 && b < 64 ? std::optional<uint64_t>(a >> b) : std::nullopt;
  case clang::BO_And:
    return a & b;
  case clang::BO_Or:
    return a | b;
  case clang::BO_Xor:
    return a ^ b;
  case clang::BO_LT:
    return a < b;
  case clang::BO_LE:
    return a <= b;
  case clang::BO_GT:
    return a > b;
  case clang::BO_GE:
    return a >= b;
  case clang::BO_EQ:
    return a == b;
  case clang::BO_NE:
    return a != b;
  default:
    return std::nullopt;
  }
}

} // namespace

/// Evaluates under decisions: which branch of an `if` is taken, which call
/// entered a function. At a missing decision the evaluation stops, and is
/// repeated for each alternative.
class ShapeEvaluator {
public:
  using Decisions = LaunchReader::Decisions;

  ShapeEvaluator(LaunchReader &reader, const Decisions &decisions)
      : reader_(reader), decisions_(decisions) {}

  /// Takes alternative `way`, modulo their count, for all further decisions.
  void decideFreely(unsigned way) { free_ = way; }
  /// The most alternatives of a decision that was taken freely.
  unsigned mostWays() const { return mostWays_; }
  /// Ways that differ by a multiple of this decide alike, up to
  /// `longestPeriod`.
  unsigned period() const { return period_; }
  static constexpr unsigned longestPeriod = 1 << 16;
  static unsigned commonPeriod(unsigned a, unsigned b) {
    return std::min<uint64_t>(std::lcm(uint64_t(a), uint64_t(b)),
                              longestPeriod);
  }
  /// From now on, a size that conditions bound from above alone is the largest
  /// one: "blocks of 1 thread" is no fact that a bound of 9 states.
  void takeLargest() {
    takesLargest_ = true;
    known_.clear();
  }

  /// A grid that conditions keep small is small on purpose: `if (blocks == 1)`
  /// does not say how many there are otherwise.
  std::array<std::optional<uint64_t>, 3> grid(const clang::Expr *expression,
                                              const MemberPath &to = {}) {
    setOfGrid(true);
    auto result = three(expression, to);
    setOfGrid(false);
    return result;
  }

  struct Missing {
    const void *what = nullptr;
    unsigned ways = 0;
  };
  const Missing &missing() const { return missing_; }

  /// Returns the number that `path` of the expression has.
  std::optional<uint64_t> number(const clang::Expr *expression,
                                 const MemberPath &path = {}) {
    constexpr unsigned deepest = 40;
    if (missing_.what || depth_ > deepest || !expression ||
        expression->isValueDependent() || expression->containsErrors())
      return std::nullopt;
    // Several members and arguments depend on one variable. A number that
    // depends on itself is unknown.
    auto [known, isNew] = known_.try_emplace({expression, path});
    if (!isNew)
      return known->second;
    ++depth_;
    auto result = follow(expression, path);
    --depth_;
    if (!missing_.what)
      known_[{expression, path}] = result;
    return result;
  }

  /// Evaluates x, y and z of a dim3.
  std::array<std::optional<uint64_t>, 3> three(const clang::Expr *expression,
                                               const MemberPath &to = {}) {
    std::array<std::optional<uint64_t>, 3> result;
    clang::QualType type =
        to.empty() ? expression->getType() : to.back()->getType();
    auto *record = type.getNonReferenceType()->getAsRecordDecl();
    if (!record) { // an integer converted to dim3
      result = {number(expression, to), 1, 1};
      return result;
    }
    for (const clang::FieldDecl *field : record->fields()) {
      if (field->getFieldIndex() > 2)
        return {};
      MemberPath path = to;
      path.push_back(field);
      result[field->getFieldIndex()] = number(expression, path);
    }
    return result;
  }

  /// The variable, or the part of one, that a pointer comes from, through the
  /// variables and functions that pass it on.
  struct Origin {
    const clang::VarDecl *variable = nullptr;
    MemberPath path;
    bool operator==(const Origin &) const = default;
  };
  Origin origin(const clang::Expr *expression, unsigned depth = 0) {
    constexpr unsigned deepest = 8;
    expression = stripped(expression);
    Origin found;
    if (auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(expression)) {
      const auto which = decide(choice, number(choice->getCond()));
      return which && depth <= deepest ? origin(*which ? choice->getTrueExpr()
                                                       : choice->getFalseExpr(),
                                                depth + 1)
                                       : found;
    }
    found.variable = placeOf(expression, found.path);
    if (!found.variable || missing_.what || depth > deepest)
      return found;
    const auto change = reaching(found.variable, found.path, expression);
    if (!change || !change->value || change->with || change->path != found.path)
      return found;
    const Origin from = origin(change->value, depth + 1);
    return from.variable ? from : found;
  }

  const clang::FunctionDecl *function(const clang::Expr *expression,
                                      unsigned depth = 0) {
    expression = stripped(expression);
    if (missing_.what || depth > 8)
      return nullptr;
    if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression))
      return function(unary->getSubExpr(), depth + 1);
    auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression);
    if (!reference)
      return nullptr;
    if (auto *function =
            llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()))
      return function;
    auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    passedBy_ = nullptr;
    auto change = variable ? reaching(variable, {}, reference) : std::nullopt;
    if (change && passedBy_)
      namedAt_ = passedBy_;
    return change && change->value ? function(change->value, depth + 1)
                                   : nullptr;
  }

  /// Adds all functions that an expression may be: those that any statement
  /// gives a variable, such as the cases of a switch, and those of a table.
  void functionsOf(const clang::Expr *expression,
                   std::vector<const clang::FunctionDecl *> &into,
                   unsigned depth = 0) {
    constexpr unsigned deepest = 8;
    expression = stripped(expression);
    if (depth > deepest)
      return;
    auto add = [&](const clang::Expr *part) {
      if (part)
        functionsOf(part, into, depth + 1);
    };
    if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
      add(unary->getSubExpr());
    } else if (auto *choice =
                   llvm::dyn_cast<clang::ConditionalOperator>(expression)) {
      add(choice->getTrueExpr());
      add(choice->getFalseExpr());
    } else if (auto *element =
                   llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) {
      add(element->getBase());
    } else if (auto *list = llvm::dyn_cast<clang::InitListExpr>(expression)) {
      for (const clang::Expr *part : list->inits())
        add(part);
    } else if (auto *reference =
                   llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
      if (auto *function =
              llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl())) {
        if (!llvm::is_contained(into, function))
          into.push_back(function);
      } else if (auto *variable =
                     llvm::dyn_cast<clang::VarDecl>(reference->getDecl())) {
        add(variable->getAnyInitializer());
        for (const clang::Expr *value : reader_.functions_.lookup(variable))
          add(value);
      }
    }
  }

  /// The outermost call that passes the last function on to a launch; null if
  /// the launch itself names it.
  const clang::CallExpr *namedAt() const { return namedAt_; }

private:
  void setOfGrid(bool isOfGrid) {
    isOfGrid_ = isOfGrid;
    known_.clear();
  }

  /// Returns true if anything in `statement` changes the part of the variable.
  bool changes(const clang::Stmt *statement, const clang::VarDecl *variable,
               const MemberPath &path) {
    if (!statement)
      return false;
    const LaunchReader::ChangedParts &parts = reader_.changedIn(statement);
    auto changed = parts.find(variable);
    return changed != parts.end() &&
           llvm::any_of(changed->second, [&](const MemberPath &part) {
             const size_t common = std::min(part.size(), path.size());
             return std::equal(path.begin(), path.begin() + common,
                               part.begin());
           });
  }

  std::optional<uint64_t> follow(const clang::Expr *whole,
                                 const MemberPath &path) {
    if (path.empty())
      if (auto constant = reader_.constant(whole))
        return constant;
    if (const clang::Expr *cut = truncated(whole); cut && path.empty())
      return truncate(real(cut));
    const clang::Expr *inner = stripped(whole);
    if (inner != whole && path.empty())
      if (auto constant = reader_.constant(inner))
        return constant;
    if (auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(inner))
      return constructed(construct, path);
    if (auto *list = llvm::dyn_cast<clang::InitListExpr>(inner))
      return listed(list, path);
    if (auto *own = llvm::dyn_cast<clang::CXXDefaultInitExpr>(inner))
      return number(own->getExpr(), path);
    if (llvm::isa<clang::ImplicitValueInitExpr, clang::CXXScalarValueInitExpr>(
            inner))
      return 0;
    if (auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(inner)) {
      auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
      return variable ? valueOf(variable, path, reference) : std::nullopt;
    }
    if (auto *member = llvm::dyn_cast<clang::MemberExpr>(inner))
      return ofMember(member, path);
    if (auto *subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(inner))
      return ofElement(subscript, path);
    if (auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(inner)) {
      if (auto least = bounding(choice))
        return number(least, path);
      auto which = decide(choice, number(choice->getCond()));
      if (!which)
        return std::nullopt;
      return number(*which ? choice->getTrueExpr() : choice->getFalseExpr(),
                    path);
    }
    if (auto *call = llvm::dyn_cast<clang::CallExpr>(inner))
      return returned(call, path);
    if (!path.empty())
      return std::nullopt;
    if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(inner)) {
      auto value = number(unary->getSubExpr());
      if (value && unary->getOpcode() == clang::UO_Minus)
        return -*value;
      return unary->getOpcode() == clang::UO_Plus ? value : std::nullopt;
    }
    auto *binary = llvm::dyn_cast<clang::BinaryOperator>(inner);
    if (!binary || !binary->getType()->isIntegralOrEnumerationType())
      return std::nullopt;
    auto left = number(binary->getLHS()), right = number(binary->getRHS());
    return left && right ? apply(binary->getOpcode(), *left, *right)
                         : std::nullopt;
  }

  /// The floating-point expression that a conversion to an integer cuts off;
  /// null where there is none.
  static const clang::Expr *truncated(const clang::Expr *expression) {
    for (;;) {
      expression = expression->IgnoreParens();
      auto *cast = llvm::dyn_cast<clang::CastExpr>(expression);
      if (!cast)
        return nullptr;
      expression = cast->getSubExpr();
      if (cast->getCastKind() == clang::CK_FloatingToIntegral)
        return expression;
    }
  }

  static std::optional<uint64_t> truncate(std::optional<double> value) {
    constexpr double most = 9e18;
    return value && std::abs(*value) < most
               ? std::optional<uint64_t>(int64_t(*value))
               : std::nullopt;
  }

  /// Returns a number as hosts compute grids: `ceil((float)n / 256)`.
  std::optional<double> real(const clang::Expr *expression) {
    constexpr unsigned deepest = 40;
    if (missing_.what || depth_ > deepest)
      return std::nullopt;
    ++depth_;
    auto result = followReal(expression);
    --depth_;
    if (result &&
        expression->getType()->isSpecificBuiltinType(clang::BuiltinType::Float))
      return float(*result);
    return result;
  }

  std::optional<double> followReal(const clang::Expr *expression) {
    expression = expression->IgnoreParens();
    if (!expression->getType()->isRealFloatingType()) {
      auto whole = number(expression);
      return whole ? std::optional<double>(int64_t(*whole)) : std::nullopt;
    }
    llvm::APFloat constant(0.0);
    if (!expression->isValueDependent() && !expression->containsErrors() &&
        expression->EvaluateAsFloat(constant, reader_.context_))
      return constant.convertToDouble();
    if (auto *cast = llvm::dyn_cast<clang::CastExpr>(expression))
      return real(cast->getSubExpr());
    if (auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
      auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
      auto change = variable ? reaching(variable, {}, reference) : std::nullopt;
      return change && change->value && !change->with ? real(change->value)
                                                      : std::nullopt;
    }
    if (auto *call = llvm::dyn_cast<clang::CallExpr>(expression))
      return rounded(call);
    auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expression);
    if (!binary)
      return std::nullopt;
    const auto left = real(binary->getLHS()), right = real(binary->getRHS());
    if (!left || !right)
      return std::nullopt;
    switch (binary->getOpcode()) {
    case clang::BO_Add:
      return *left + *right;
    case clang::BO_Sub:
      return *left - *right;
    case clang::BO_Mul:
      return *left * *right;
    case clang::BO_Div:
      return *right != 0 ? std::optional<double>(*left / *right) : std::nullopt;
    default:
      return std::nullopt;
    }
  }

  std::optional<double> rounded(const clang::CallExpr *call) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (!callee || !callee->getIdentifier() || call->getNumArgs() != 1)
      return std::nullopt;
    double (*function)(double) =
        llvm::StringSwitch<double (*)(double)>(callee->getName())
            .Cases({"ceil", "ceilf"}, ::ceil)
            .Cases({"floor", "floorf"}, ::floor)
            .Cases({"round", "roundf"}, ::round)
            .Default(nullptr);
    const auto value = function ? real(call->getArg(0)) : std::nullopt;
    return value ? std::optional<double>(function(*value)) : std::nullopt;
  }

  /// Returns 32 of `n < 32 ? n : 32` where nothing says what 'n' is: a block is
  /// as large as it can be. Null for other choices.
  const clang::Expr *bounding(const clang::ConditionalOperator *choice) {
    auto *condition = llvm::dyn_cast<clang::BinaryOperator>(
        choice->getCond()->IgnoreParenImpCasts());
    if (!takesLargest_ || !condition || !condition->isRelationalOp())
      return nullptr;
    const clang::Expr *lesser = condition->getLHS(),
                      *greater = condition->getRHS();
    if (condition->getOpcode() == clang::BO_GT ||
        condition->getOpcode() == clang::BO_GE)
      std::swap(lesser, greater);
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

  /// Returns 1 or 0, from known values or decisions.
  std::optional<unsigned> decide(const clang::Stmt *branch,
                                 std::optional<uint64_t> known) {
    if (known)
      return *known != 0;
    return decision(branch, 2);
  }

  std::optional<unsigned> decision(const void *what, unsigned ways) {
    if (missing_.what || ways == 0)
      return std::nullopt;
    auto it = decisions_.find(what);
    if (it != decisions_.end())
      return it->second;
    mostWays_ = std::max(mostWays_, ways);
    period_ = commonPeriod(period_, ways);
    if (ways == 1 || free_)
      return free_.value_or(0) % ways;
    missing_ = {what, ways};
    return std::nullopt;
  }

  std::optional<uint64_t> constructed(const clang::CXXConstructExpr *construct,
                                      const MemberPath &path) {
    if (path.empty())
      return construct->getNumArgs() == 1 ? number(construct->getArg(0))
                                          : std::nullopt;
    auto *record = construct->getConstructor()->getParent();
    if (construct->getConstructor()->isCopyOrMoveConstructor())
      return number(construct->getArg(0), path);
    // Initialised by the members' default initialisers.
    if (construct->getConstructor()->isDefaultConstructor() &&
        !construct->getConstructor()->isUserProvided() &&
        path.front()->hasInClassInitializer())
      return number(path.front()->getInClassInitializer(),
                    MemberPath(path.begin() + 1, path.end()));
    if (record->getName() != "dim3") {
      const clang::Expr *given = givenTo(construct, path.front());
      return given ? number(given, MemberPath(path.begin() + 1, path.end()))
                   : std::nullopt;
    }
    unsigned which = path.front()->getFieldIndex();
    if (construct->getNumArgs() == 1) { // from an uint3
      const clang::Expr *from = construct->getArg(0);
      if (auto *other =
              from->getType().getNonReferenceType()->getAsRecordDecl())
        for (const clang::FieldDecl *field : other->fields())
          if (field->getFieldIndex() == which)
            return number(from, {field});
    }
    return which < construct->getNumArgs() ? number(construct->getArg(which))
                                           : std::optional<uint64_t>(1);
  }

  /// Returns the argument or the constant that a constructor with an empty body
  /// gives to a member: `Parameters(const dim3 &block) : block_(block) {}`.
  /// Null for any other constructor.
  static const clang::Expr *givenTo(const clang::CXXConstructExpr *construct,
                                    const clang::FieldDecl *field) {
    const clang::FunctionDecl *body = nullptr;
    if (!construct->getConstructor()->hasBody(body))
      return nullptr;
    auto *constructor = llvm::cast<clang::CXXConstructorDecl>(body);
    auto *block = llvm::dyn_cast<clang::CompoundStmt>(constructor->getBody());
    if (!block || !block->body_empty())
      return nullptr;
    for (const clang::CXXCtorInitializer *one : constructor->inits()) {
      if (one->getMember() != field)
        continue;
      const clang::Expr *value = stripped(one->getInit());
      if (auto *copy = llvm::dyn_cast<clang::CXXConstructExpr>(value);
          copy && copy->getConstructor()->isCopyOrMoveConstructor())
        value = stripped(copy->getArg(0));
      if (value->getType()->isIntegralOrEnumerationType() &&
          !value->isValueDependent() &&
          value->isEvaluatable(constructor->getASTContext()))
        return value;
      auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(value);
      auto *parameter =
          reference ? llvm::dyn_cast<clang::ParmVarDecl>(reference->getDecl())
                    : nullptr;
      if (parameter &&
          parameter->getFunctionScopeIndex() < construct->getNumArgs())
        return construct->getArg(parameter->getFunctionScopeIndex());
    }
    return nullptr;
  }

  std::optional<uint64_t> listed(const clang::InitListExpr *list,
                                 const MemberPath &path) {
    if (auto *semantic = list->getSemanticForm())
      list = semantic;
    if (path.empty())
      return list->getNumInits() == 1 ? number(list->getInit(0))
             : list->getNumInits()    ? std::nullopt
                                      : std::optional<uint64_t>(0);
    // Values of bases come first, and a union has one for all members.
    auto *record =
        llvm::dyn_cast<clang::CXXRecordDecl>(path.front()->getParent());
    if (path.front()->getParent()->isUnion() ||
        (record && record->getNumBases()))
      return std::nullopt;
    unsigned which = path.front()->getFieldIndex();
    if (which >= list->getNumInits())
      return std::nullopt;
    return number(list->getInit(which),
                  MemberPath(path.begin() + 1, path.end()));
  }

  std::optional<uint64_t> ofMember(const clang::MemberExpr *member,
                                   const MemberPath &path) {
    auto *field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (!field)
      return std::nullopt;
    if (member->isArrow()) {
      // A const member keeps its default initialiser.
      bool kept = llvm::isa<clang::CXXThisExpr>(
                      member->getBase()->IgnoreParenImpCasts()) &&
                  field->getType().isConstQualified() &&
                  field->hasInClassInitializer();
      return kept ? number(field->getInClassInitializer(), path) : std::nullopt;
    }
    MemberPath longer{field};
    longer.append(path.begin(), path.end());
    return number(member->getBase(), longer);
  }

  /// An element of an array that only its declaration sets.
  std::optional<uint64_t> ofElement(const clang::ArraySubscriptExpr *subscript,
                                    const MemberPath &path) {
    auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(
        subscript->getBase()->IgnoreParenImpCasts());
    auto *variable = reference
                         ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl())
                         : nullptr;
    if (!variable || !variable->getType()->isConstantArrayType() ||
        reader_.changed_.contains(variable))
      return std::nullopt;
    const clang::Expr *first = variable->getAnyInitializer();
    auto *list =
        first
            ? llvm::dyn_cast<clang::InitListExpr>(first->IgnoreParenImpCasts())
            : nullptr;
    const std::optional<uint64_t> index = number(subscript->getIdx());
    if (!list || !index)
      return std::nullopt;
    if (auto *semantic = list->getSemanticForm())
      list = semantic;
    if (*index < list->getNumInits())
      return number(list->getInit(*index), path);
    const bool isInside =
        *index < reader_.context_.getAsConstantArrayType(variable->getType())
                     ->getZExtSize();
    return isInside && variable->getType()
                           ->getArrayElementTypeNoTypeQual()
                           ->isIntegralOrEnumerationType()
               ? std::optional<uint64_t>(0)
               : std::nullopt;
  }

  std::optional<uint64_t> returned(const clang::CallExpr *call,
                                   const MemberPath &path) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (!callee)
      return std::nullopt;
    bool extreme = callee->getIdentifier() && call->getNumArgs() == 2 &&
                   (callee->getName() == "min" || callee->getName() == "max");
    if (extreme && path.empty()) {
      auto a = number(call->getArg(0)), b = number(call->getArg(1));
      if (!a || !b)
        return std::nullopt;
      return callee->getName() == "min" ? std::min(int64_t(*a), int64_t(*b))
                                        : std::max(int64_t(*a), int64_t(*b));
    }
    const clang::FunctionDecl *body = nullptr;
    if (!callee->hasBody(body) || inside_.contains(body->getCanonicalDecl()))
      return std::nullopt;
    // Returns the expression of a function that only returns.
    auto *block = llvm::dyn_cast<clang::CompoundStmt>(body->getBody());
    auto *end = block && !block->body_empty()
                    ? llvm::dyn_cast<clang::ReturnStmt>(block->body_back())
                    : nullptr;
    if (!end || !end->getRetValue() || block->size() > 8)
      return std::nullopt;
    for (const clang::Stmt *early : block->body())
      if (early != end && !llvm::isa<clang::DeclStmt, clang::Expr>(early))
        return std::nullopt;
    reader_.addParents(body);
    // What the parameters are differs by call.
    Known outside = std::exchange(known_, {});
    inside_[body->getCanonicalDecl()] = call;
    auto value = number(end->getRetValue(), path);
    inside_.erase(body->getCanonicalDecl());
    known_ = std::move(outside);
    return value;
  }

  std::optional<uint64_t> valueOf(const clang::VarDecl *variable,
                                  const MemberPath &path,
                                  const clang::Stmt *use) {
    auto value = assignedTo(variable, path, use);
    return value || missing_.what || !path.empty() ? value
                                                   : bounded(variable, use);
  }

  std::optional<uint64_t> assignedTo(const clang::VarDecl *variable,
                                     const MemberPath &path,
                                     const clang::Stmt *use) {
    auto change = reaching(variable, path, use);
    if (change && change->number)
      return change->number;
    if (!change || !change->value)
      return std::nullopt;
    MemberPath rest(path.begin() + change->path.size(), path.end());
    auto value = number(change->value, rest);
    if (!change->with || !value)
      return value;
    auto before = valueOf(variable, path, change->at);
    return before ? apply(*change->with, *before, *value) : std::nullopt;
  }

  struct Range {
    std::optional<int64_t> low, high;

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
    }
  };

  /// An unknown variable that the conditions around its use keep small has the
  /// largest or the smallest of the values that they leave it: the cost of a
  /// size in between lies between theirs.
  std::optional<uint64_t> bounded(const clang::VarDecl *variable,
                                  const clang::Stmt *use) {
    constexpr int64_t small = 256;
    if (isOfGrid_ || !variable->getType()->isIntegralOrEnumerationType())
      return std::nullopt;
    const Range range = rangeAt(variable, use);
    if (missing_.what || !range.high || *range.high > small ||
        *range.high < range.low.value_or(1))
      return std::nullopt;
    // Sizes are at least 1.
    const int64_t low = std::max<int64_t>(range.low.value_or(1), 1);
    if (low >= *range.high || (takesLargest_ && !range.low))
      return *range.high;
    auto which = decision(variable, 2);
    if (!which)
      return std::nullopt;
    return *which ? low : *range.high;
  }

  /// The values that the conditions between a use and the last change of the
  /// variable leave it.
  Range rangeAt(const clang::VarDecl *variable, const clang::Stmt *use) {
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

  /// Adds what earlier statements of the block leave: `if (n > 4) return;`.
  /// Returns false if one of them changes the variable.
  bool passBlock(const clang::CompoundStmt *block, const clang::Stmt *end,
                 const clang::VarDecl *variable, Range &range) {
    for (const clang::Stmt *statement :
         llvm::reverse(turnsBefore(block, end, variable))) {
      if (changes(statement, variable, {}))
        return false;
      auto *branch = llvm::dyn_cast<clang::IfStmt>(statement);
      if (branch && mayEndBlock(*branch))
        hold(branch->getCond(), false, variable, range);
    }
    return true;
  }

  /// Returns the statements of a block before `end`, or all of them, that
  /// change the variable or may be its last ones, in their order.
  llvm::ArrayRef<const clang::Stmt *>
  turnsBefore(const clang::CompoundStmt *block, const clang::Stmt *end,
              const clang::VarDecl *variable) {
    auto [known, isNew] = reader_.turns_.try_emplace({block, variable});
    LaunchReader::Turns &turns = known->second;
    if (isNew)
      for (const clang::Stmt *statement : block->body()) {
        auto *branch = llvm::dyn_cast<clang::IfStmt>(statement);
        if (reader_.changedIn(statement).contains(variable) ||
            (branch && mayEndBlock(*branch)))
          turns.push_back(statement);
      }
    llvm::ArrayRef<const clang::Stmt *> all = turns;
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

  /// Returns true for `if (n > 4) return;`.
  static bool mayEndBlock(const clang::IfStmt &branch) {
    return !branch.getElse() && leaves(branch.getThen());
  }

  /// Returns true if no statement after this one is executed.
  static bool leaves(const clang::Stmt *statement) {
    if (auto *block = llvm::dyn_cast<clang::CompoundStmt>(statement))
      return !block->body_empty() && leaves(block->body_back());
    if (auto *cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(statement))
      return leaves(cleanups->getSubExpr());
    if (auto *call = llvm::dyn_cast<clang::CallExpr>(statement))
      return call->getDirectCallee() && call->getDirectCallee()->isNoReturn();
    return llvm::isa<clang::ReturnStmt, clang::CXXThrowExpr>(statement);
  }

  /// Adds that a condition holds, or does not.
  void hold(const clang::Expr *condition, bool holds,
            const clang::VarDecl *variable, Range &range) {
    condition = condition->IgnoreParenImpCasts();
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
    if (!binary->isRelationalOp() && !binary->isEqualityOp())
      return;
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

  static bool isVariable(const clang::Expr *expression,
                         const clang::VarDecl *variable) {
    auto *reference =
        llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
    return reference && reference->getDecl() == variable;
  }

  /// Returns the change that reaches a use of the variable; none if unknown.
  std::optional<Change> reaching(const clang::VarDecl *variable,
                                 const MemberPath &path,
                                 const clang::Stmt *use) {
    for (const clang::Stmt *at = use;;) {
      at = reader_.underChange(at, variable);
      if (!at)
        break;
      const clang::Stmt *parent = reader_.parents_.lookup(at);
      if (auto *block = llvm::dyn_cast<clang::CompoundStmt>(parent)) {
        Found found = before(block, at, variable, path);
        if (found.done)
          return found.change;
      } else if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt,
                           clang::CXXForRangeStmt, clang::SwitchStmt>(parent)) {
        auto *loop = llvm::dyn_cast<clang::ForStmt>(parent);
        const clang::Stmt *first = loop ? loop->getInit() : nullptr;
        if (loop && at != first && changes(loop->getInc(), variable, path))
          return counter(loop, variable);
        // A later statement of the loop may have changed it.
        for (const clang::Stmt *child : parent->children())
          if (child != first && changes(child, variable, path))
            return std::nullopt;
        if (first && first != at) {
          Found found = in(first, variable, path);
          if (found.done)
            return found.change;
        }
      }
      at = parent;
    }
    return fromOutside(variable);
  }

  /// A loop's counter has one of its possible values.
  std::optional<Change> counter(const clang::ForStmt *loop,
                                const clang::VarDecl *variable) {
    constexpr size_t most = 8; // values that are distinguished
    Found start = loop->getInit() ? in(loop->getInit(), variable, {}) : Found();
    auto *condition = llvm::dyn_cast_or_null<clang::BinaryOperator>(
        loop->getCond() ? loop->getCond()->IgnoreParenImpCasts() : nullptr);
    if (!start.change || !start.change->value || start.change->with ||
        !condition || rootVariable(condition->getLHS()) != variable ||
        changes(loop->getBody(), variable, {}) ||
        changes(condition, variable, {}))
      return std::nullopt;
    auto value = number(start.change->value);
    const auto bound = number(condition->getRHS());
    Change change;
    change.variable = variable;
    if (value && !bound && free_) {
      // Any number of iterations: one launch has the first value.
      period_ = longestPeriod;
      if (*free_ == 0)
        return std::nullopt;
      change.number = value;
      return change;
    }
    constexpr size_t longest = 1 << 16;
    std::vector<uint64_t> values;
    while (value && bound && values.size() < longest &&
           apply(condition->getOpcode(), *value, *bound).value_or(0)) {
      values.push_back(*value);
      value = stepped(loop->getInc(), variable, *value);
    }
    if (values.empty() || !value || (values.size() >= most && !free_))
      return std::nullopt;
    if (values.size() >= most) // the extremes stand for all
      values = {values.back(), values.front(), values[values.size() / 2]};
    auto which = decision(loop, values.size());
    if (!which)
      return std::nullopt;
    change.number = values[*which];
    return change;
  }

  std::optional<uint64_t> stepped(const clang::Expr *step,
                                  const clang::VarDecl *variable,
                                  uint64_t value) {
    step = step->IgnoreParenImpCasts();
    if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(step))
      return rootVariable(unary->getSubExpr()) != variable ? std::nullopt
             : unary->isIncrementOp() ? std::optional<uint64_t>(value + 1)
                                      : std::optional<uint64_t>(value - 1);
    auto *binary = llvm::dyn_cast<clang::BinaryOperator>(step);
    if (!binary || rootVariable(binary->getLHS()) != variable)
      return std::nullopt;
    if (binary->isCompoundAssignmentOp()) {
      auto by = number(binary->getRHS());
      return by ? apply(clang::BinaryOperator::getOpForCompoundAssignment(
                            binary->getOpcode()),
                        value, *by)
                : std::nullopt;
    }
    // i = i * 2
    auto *next = llvm::dyn_cast<clang::BinaryOperator>(
        binary->getRHS()->IgnoreParenImpCasts());
    if (!binary->isAssignmentOp() || !next ||
        rootVariable(next->getLHS()) != variable)
      return std::nullopt;
    auto by = number(next->getRHS());
    return by ? apply(next->getOpcode(), value, *by) : std::nullopt;
  }

  std::optional<Change> fromOutside(const clang::VarDecl *variable) {
    if (auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable))
      return argument(parameter);
    if (reader_.changed_.contains(variable) || !variable->getAnyInitializer())
      return std::nullopt;
    Change change;
    change.variable = variable;
    change.value = variable->getAnyInitializer();
    return change;
  }

  std::optional<Change> argument(const clang::ParmVarDecl *parameter) {
    auto *function =
        llvm::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext());
    if (!function)
      return std::nullopt;
    function = function->getCanonicalDecl();
    const clang::CallExpr *call = inside_.lookup(function);
    if (!call) {
      auto it = reader_.calls_.find(function);
      if (it == reader_.calls_.end())
        return std::nullopt;
      auto which = decision(function, it->second.size());
      if (!which)
        return std::nullopt;
      call = it->second[*which].call;
      if (it->second[*which].inside)
        reader_.addParents(it->second[*which].inside);
    }
    auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
    bool onObject = method && !method->isStatic() &&
                    llvm::isa<clang::CXXOperatorCallExpr>(call);
    unsigned index = parameter->getFunctionScopeIndex() + onObject;
    if (index >= call->getNumArgs())
      return std::nullopt;
    Change change;
    change.variable = parameter;
    change.value = call->getArg(index);
    passedBy_ = call;
    return change;
  }

  struct Found {
    bool done = false; ///< no need to look further up
    std::optional<Change> change;
  };

  /// Returns the last change in a block, before the statement `end` if given.
  Found before(const clang::CompoundStmt *block, const clang::Stmt *end,
               const clang::VarDecl *variable, const MemberPath &path) {
    for (const clang::Stmt *statement :
         llvm::reverse(turnsBefore(block, end, variable))) {
      Found found = in(statement, variable, path);
      if (found.done)
        return found;
    }
    return {};
  }

  Found in(const clang::Stmt *statement, const clang::VarDecl *variable,
           const MemberPath &path) {
    if (!statement || !changes(statement, variable, path))
      return {};
    if (auto *block = llvm::dyn_cast<clang::CompoundStmt>(statement))
      return before(block, nullptr, variable, path);
    if (auto *branch = llvm::dyn_cast<clang::IfStmt>(statement)) {
      if (changes(branch->getCond(), variable, path))
        return {true, std::nullopt};
      auto which = decide(branch, number(branch->getCond()));
      if (!which)
        return {true, std::nullopt};
      return in(*which ? branch->getThen() : branch->getElse(), variable, path);
    }
    if (auto *cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(statement))
      return in(cleanups->getSubExpr(), variable, path);
    // The statement changes it in a way that is not followed.
    std::optional<Change> change;
    unsigned count = 0;
    changesOf(statement, [&](const Change &made) {
      if (made.variable != variable)
        return;
      ++count;
      change = made;
    });
    bool known =
        count == 1 && change->path.size() <= path.size() && change->value;
    for (const clang::Stmt *child : statement->children())
      known &= !changes(child, variable, path);
    if (!known)
      return {true, std::nullopt};
    change->at = statement;
    return {true, change};
  }

  LaunchReader &reader_;
  const Decisions &decisions_;
  Missing missing_;
  std::optional<unsigned> free_;
  unsigned mostWays_ = 0, period_ = 1;
  bool takesLargest_ = false, isOfGrid_ = false;
  unsigned depth_ = 0;
  /// The last call whose argument was followed.
  const clang::CallExpr *passedBy_ = nullptr, *namedAt_ = nullptr;
  /// By expression and part; none: unknown, or being evaluated.
  using Known = std::map<std::pair<const clang::Expr *, MemberPath>,
                         std::optional<uint64_t>>;
  Known known_;
  /// Functions whose return value is being evaluated, by call.
  llvm::DenseMap<const clang::FunctionDecl *, const clang::CallExpr *> inside_;
};

void LaunchReader::noteStatement(const clang::Stmt *statement) {
  if (llvm::isa<clang::DeclStmt>(statement))
    return;
  changesOf(statement, [&](const Change &change) {
    changed_.insert(change.variable);
    if (change.value && change.path.empty())
      assigned_.insert(change.variable);
    if (change.value && change.variable->getType()->isFunctionPointerType())
      functions_[change.variable].push_back(change.value);
  });
}

void LaunchReader::noteCall(const clang::CallExpr *call,
                            const clang::FunctionDecl *inside) {
  if (const clang::FunctionDecl *callee = call->getDirectCallee())
    if (callee->getNumParams())
      calls_[callee->getCanonicalDecl()].push_back({call, inside});
}

std::optional<uint64_t> LaunchReader::constant(const clang::Expr *expression) {
  auto [known, isNew] = constants_.try_emplace(expression);
  clang::Expr::EvalResult result;
  if (isNew && !expression->isValueDependent() &&
      expression->getType()->isIntegralOrEnumerationType() &&
      expression->EvaluateAsInt(result, context_))
    known->second = result.Val.getInt().getExtValue();
  return known->second;
}

const LaunchReader::ChangedParts &
LaunchReader::changedIn(const clang::Stmt *statement) {
  std::unique_ptr<ChangedParts> &parts = changedParts_[statement];
  if (!parts) {
    parts = std::make_unique<ChangedParts>();
    addChanges(statement, *parts);
  }
  return *parts;
}

const clang::Stmt *LaunchReader::underChange(const clang::Stmt *statement,
                                             const clang::VarDecl *variable) {
  auto [known, isNew] = underChange_.try_emplace({statement, variable});
  if (!isNew)
    return known->second;
  const clang::Stmt *at = statement, *parent;
  while ((parent = parents_.lookup(at)) &&
         !changedIn(parent).contains(variable))
    at = parent;
  return known->second = parent ? at : nullptr;
}

void LaunchReader::addChanges(const clang::Stmt *statement,
                              ChangedParts &into) const {
  if (!statement)
    return;
  auto add = [&](const clang::VarDecl *variable, const MemberPath &path) {
    llvm::SmallVector<MemberPath, 1> &parts = into[variable];
    if (!llvm::is_contained(parts, path))
      parts.push_back(path);
  };
  if (auto known = changedParts_.find(statement);
      known != changedParts_.end() && known->second.get() != &into) {
    for (const auto &[variable, parts] : *known->second)
      for (const MemberPath &path : parts)
        add(variable, path);
    return;
  }
  changesOf(statement,
            [&](const Change &change) { add(change.variable, change.path); });
  for (const clang::Stmt *child : statement->children())
    addChanges(child, into);
}

void LaunchReader::addParents(const clang::FunctionDecl *function) {
  if (!withParents_.insert(function).second)
    return;
  underChange_.clear();
  llvm::SmallVector<const clang::Stmt *, 32> work{function->getBody()};
  while (!work.empty()) {
    const clang::Stmt *parent = work.pop_back_val();
    if (!parent)
      continue;
    for (const clang::Stmt *child : parent->children())
      if (child && parents_.try_emplace(child, parent).second)
        work.push_back(child);
  }
}

static void readConfig(ShapeEvaluator &evaluator, const clang::Expr *config,
                       ReadLaunch &into) {
  const clang::RecordDecl *record = config->getType()->getAsRecordDecl();
  if (!record)
    return;
  for (const clang::FieldDecl *field : record->fields())
    if (field->getName() == "gridDim")
      into.grid = evaluator.grid(config, {field});
    else if (field->getName() == "blockDim")
      into.block = evaluator.three(config, {field});
}

/// Appends what is known of the structures among the arguments, for
/// `argumentBits`. Returns false if it leaves a number in them open.
static bool readStructures(ShapeEvaluator &evaluator,
                           const clang::ASTContext &context,
                           const WrittenLaunch &launch, ReadLaunch &into) {
  if (!into.kernel)
    return false;
  const size_t seen = into.arguments.size();
  bool isWhole = true;
  into.arguments.resize(into.kernel->getNumParams());
  for (auto [i, parameter] : llvm::enumerate(into.kernel->parameters())) {
    const clang::QualType type = parameter->getType();
    const clang::RecordDecl *record = type->getAsRecordDecl();
    if (type->isDependentType() || (record && record->isInvalidDecl()))
      return false;
    if (!record)
      continue;
    constexpr int64_t most = 32764; // bytes that CUDA passes
    if (context.getTypeSizeInChars(type).getQuantity() > most)
      return false;
    KnownBytes bytes(context, type);
    const clang::Expr *argument =
        i < launch.arguments.size() ? launch.arguments[i] : nullptr;
    if (argument && context.hasSameUnqualifiedType(argument->getType(), type))
      bytes.read([&](llvm::ArrayRef<const clang::FieldDecl *> path) {
        return evaluator.number(argument, MemberPath(path.begin(), path.end()));
      });
    isWhole &= bytes.isWhole();
    llvm::append_range(into.arguments, bytes.entries());
  }
  while (into.arguments.size() > seen && !into.arguments.back())
    into.arguments.pop_back();
  return isWhole;
}

/// Returns true for one expression written twice: `a + n` and `a + n`.
static bool areWrittenAlike(const clang::ASTContext &context,
                            const clang::Expr *a, const clang::Expr *b) {
  if (a->HasSideEffects(context))
    return false;
  llvm::FoldingSetNodeID one, other;
  a->Profile(one, context, /*Canonical=*/true);
  b->Profile(other, context, /*Canonical=*/true);
  return one == other;
}

/// Marks the arguments that are one pointer.
static void readPointers(ShapeEvaluator &evaluator,
                         const clang::ASTContext &context,
                         llvm::ArrayRef<const clang::Expr *> arguments,
                         std::vector<std::optional<uint64_t>> &into) {
  llvm::SmallVector<std::pair<size_t, ShapeEvaluator::Origin>, 8> seen;
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    if (!argument->getType()->isPointerType() || argument->isValueDependent() ||
        argument->containsErrors() ||
        argument->isNullPointerConstant(
            const_cast<clang::ASTContext &>(context),
            clang::Expr::NPC_ValueDependentIsNotNull))
      continue;
    const clang::Expr *plain = stripped(argument);
    ShapeEvaluator::Origin origin = evaluator.origin(plain);
    auto same = llvm::find_if(seen, [&](const auto &other) {
      return (origin.variable && origin == other.second) ||
             areWrittenAlike(context, plain, stripped(arguments[other.first]));
    });
    if (same == seen.end())
      seen.push_back({i, std::move(origin)});
    else
      into[i] = into[same->first] = samePointer(same->first);
  }
}

/// Returns the integers among the arguments.
static void readArguments(ShapeEvaluator &evaluator,
                          const clang::ASTContext &context,
                          const WrittenLaunch &launch, ReadLaunch &into) {
  into.arguments.clear();
  into.sizesKnown = !launch.arguments.empty();
  for (const clang::Expr *argument : launch.arguments) {
    clang::QualType type = argument->getType();
    std::optional<uint64_t> value;
    if (type->isIntegralOrEnumerationType())
      value = evaluator.number(argument);
    into.sizesKnown &= value || type->isPointerType() ||
                       type->isRealFloatingType() || type->isRecordType();
    into.arguments.push_back(value);
  }
  readPointers(evaluator, context, launch.arguments, into.arguments);
  if (!launch.arguments.empty())
    into.sizesKnown &= readStructures(evaluator, context, launch, into);
}

static std::optional<uint64_t> readSharedMemory(ShapeEvaluator &evaluator,
                                                const WrittenLaunch &launch) {
  if (!launch.config)
    return launch.sharedMemory ? evaluator.number(launch.sharedMemory) : 0;
  const clang::RecordDecl *record = launch.config->getType()->getAsRecordDecl();
  if (!record)
    return std::nullopt;
  for (const clang::FieldDecl *field : record->fields())
    if (field->getName() == "dynamicSmemBytes")
      return evaluator.number(launch.config, {field});
  return std::nullopt;
}

static bool anyIsKnown(llvm::ArrayRef<std::optional<uint64_t>> values) {
  return llvm::any_of(values, [](auto &value) { return value.has_value(); });
}

/// Adds the launch with each set of arguments that free decisions give.
void LaunchReader::addArguments(const WrittenLaunch &launch,
                                ShapeEvaluator &kernelOf,
                                const Decisions &decisions, ReadLaunch read,
                                std::vector<ReadLaunch> &into) {
  constexpr unsigned argumentsTried = 6, pointersTried = 64;
  const clang::CallExpr *call = kernelOf.namedAt();
  read.at = call ? call : launch.expression;
  std::vector<const clang::FunctionDecl *> kernels;
  if (read.kernel)
    kernels.push_back(read.kernel);
  else
    kernelOf.functionsOf(launch.kernel, kernels);
  auto add = [&] {
    if (!llvm::is_contained(into, read))
      into.push_back(read);
  };
  for (const clang::FunctionDecl *kernel : kernels) {
    read.kernel = kernel;
    // A way that decides as an earlier one did would add the same arguments.
    unsigned ways = argumentsTried, period = 1;
    for (unsigned way = 0; way < std::min({ways, pointersTried, period});
         ++way) {
      ShapeEvaluator evaluator(*this, decisions);
      evaluator.decideFreely(way);
      // The sizes of a few calls stand for all; that none of them passes a
      // pointer twice says nothing of the others.
      if (way < argumentsTried) {
        readArguments(evaluator, context_, launch, read);
      } else {
        read.sizesKnown = false;
        read.arguments.assign(launch.arguments.size(), std::nullopt);
        readPointers(evaluator, context_, launch.arguments, read.arguments);
      }
      read.sharedMemory = readSharedMemory(evaluator, launch);
      if (way < argumentsTried || anyIsKnown(read.arguments))
        add();
      ways = std::max(ways, evaluator.mostWays());
      period = ShapeEvaluator::commonPeriod(period, evaluator.period());
    }
  }
}

std::vector<ReadLaunch> LaunchReader::read(const WrittenLaunch &launch) {
  constexpr size_t most = 64; // limit of alternatives for one launch
  std::vector<ReadLaunch> result;
  if (launch.inside)
    addParents(launch.inside);
  std::vector<Decisions> open(1);
  for (size_t tried = 0; !open.empty() && tried < most; ++tried) {
    Decisions decisions = std::move(open.back());
    open.pop_back();
    ShapeEvaluator evaluator(*this, decisions);
    ReadLaunch read{evaluator.function(launch.kernel), {}, {}, {}, false};
    evaluator.takeLargest();
    if (launch.config) {
      readConfig(evaluator, launch.config, read);
    } else {
      read.grid = evaluator.grid(launch.grid);
      read.block = evaluator.three(launch.block);
    }
    if (evaluator.missing().what) {
      for (unsigned way = evaluator.missing().ways; way-- > 0;) {
        Decisions more = decisions;
        more[evaluator.missing().what] = way;
        open.push_back(std::move(more));
      }
      continue;
    }
    addArguments(launch, evaluator, decisions, std::move(read), result);
  }
  if (!open.empty()) {
    // Whatever its shape, it passes arguments.
    const Decisions none;
    ShapeEvaluator evaluator(*this, none);
    evaluator.decideFreely(0);
    ReadLaunch read{evaluator.function(launch.kernel), {}, {}, {}, false};
    addArguments(launch, evaluator, none, std::move(read), result);
  }
  return result;
}

std::optional<uint64_t>
LaunchReader::number(const clang::Expr *expression,
                     const clang::FunctionDecl *inside) {
  if (inside)
    addParents(inside);
  const ShapeEvaluator::Decisions none;
  ShapeEvaluator evaluator(*this, none);
  auto value = evaluator.number(expression);
  return evaluator.missing().what ? std::nullopt : value;
}

} // namespace warplint
