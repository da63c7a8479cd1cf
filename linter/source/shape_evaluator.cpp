#include "source/shape_evaluator.h"
#include "source/program_arguments.h"
#include "source/usual_device.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

namespace warplint {

std::optional<uint64_t> applied(clang::BinaryOperatorKind op, int64_t a,
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

std::array<std::optional<uint64_t>, 3>
ShapeEvaluator::grid(const clang::Expr *expression, const MemberPath &to) {
  setOfGrid(true);
  auto result = three(expression, to);
  setOfGrid(false);
  return result;
}

std::array<std::optional<uint64_t>, 3>
ShapeEvaluator::three(const clang::Expr *expression, const MemberPath &to) {
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

std::optional<uint64_t> ShapeEvaluator::number(const clang::Expr *expression,
                                               const MemberPath &path) {
  constexpr unsigned deepest = 40;
  if (missing_.what || depth_ > deepest || !expression ||
      expression->isValueDependent() || expression->containsErrors())
    return std::nullopt;
  // Several members and arguments depend on one variable. A number that
  // depends on itself is unknown.
  auto [known, isNew] = known_.try_emplace({expression, path});
  if (!isNew) {
    usesEnd_ |= known->second.isOfEnd;
    return known->second.value;
  }
  const bool before = std::exchange(usesEnd_, false);
  ++depth_;
  auto result = follow(expression, path);
  --depth_;
  if (!result && assumesSizes_)
    result = assumedSize(expression, path);
  if (!missing_.what)
    known_[{expression, path}] = {result, usesEnd_};
  usesEnd_ |= before;
  return result;
}

/// Returns the value of a variable, member or call that is taken for a size;
/// nothing for operators, which compute with sizes.
std::optional<uint64_t>
ShapeEvaluator::assumedSize(const clang::Expr *expression,
                            const MemberPath &path) {
  const clang::Expr *inner = stripped(expression);
  const clang::Decl *what = nullptr;
  if (!path.empty())
    what = path.back();
  else if (auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(inner))
    what = reference->getDecl();
  else if (auto *member = llvm::dyn_cast<clang::MemberExpr>(inner))
    what = member->getMemberDecl();
  else if (auto *call = llvm::dyn_cast<clang::CallExpr>(inner))
    what = call->getDirectCallee();
  const clang::QualType type =
      path.empty() ? inner->getType() : path.back()->getType();
  if (!what || !type.getNonReferenceType()->isIntegerType())
    return std::nullopt;
  sizesUsed_.insert(what->getCanonicalDecl());
  return SizedGrid::size;
}

std::optional<uint64_t> ShapeEvaluator::follow(const clang::Expr *whole,
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
  if (auto *made = llvm::dyn_cast<clang::CXXNewExpr>(inner))
    return path.empty() || made->isArray() || !made->getInitializer()
               ? std::nullopt
               : number(made->getInitializer(), path);
  if (auto *list = llvm::dyn_cast<clang::InitListExpr>(inner)) {
    if (auto *semantic = list->getSemanticForm())
      list = semantic;
    return listed(list->getType()->getAsCXXRecordDecl(), list->inits(), path);
  }
  if (auto *list = llvm::dyn_cast<clang::CXXParenListInitExpr>(inner))
    return listed(list->getType()->getAsCXXRecordDecl(), list->getInitExprs(),
                  path);
  if (auto *own = llvm::dyn_cast<clang::CXXDefaultInitExpr>(inner))
    return number(own->getExpr(), path);
  if (llvm::isa<clang::ImplicitValueInitExpr, clang::CXXScalarValueInitExpr>(
          inner))
    return 0;
  if (auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(inner)) {
    MemberPath part; // of a structured binding
    const HostObject *object = placeOf(reference, part);
    part.append(path.begin(), path.end());
    return object ? valueOf(object, part, reference) : std::nullopt;
  }
  if (llvm::isa<clang::CXXThisExpr>(inner)) {
    const HostObject *record = rootObject(inner);
    return record && !path.empty() ? valueOf(record, path, inner)
                                   : std::nullopt;
  }
  if (auto *member = llvm::dyn_cast<clang::MemberExpr>(inner))
    return ofMember(member, path);
  if (auto *subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(inner))
    return ofElement(subscript, path);
  if (auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(inner)) {
    if (auto least = bounding(choice))
      if (const auto bound = number(least, path))
        return boundOrOpen(choice, *bound);
    auto which = decideBy(choice->getCond(), choice);
    if (!which)
      return std::nullopt;
    return number(*which ? choice->getTrueExpr() : choice->getFalseExpr(),
                  path);
  }
  if (const clang::Expr *assigned = assignedBy(inner))
    return number(assigned, path);
  if (auto *call = llvm::dyn_cast<clang::CallExpr>(inner))
    return returned(call, path);
  auto *unary = llvm::dyn_cast<clang::UnaryOperator>(inner);
  if (!path.empty()) // of a pointer, that of what it points to
    return unary && (unary->getOpcode() == clang::UO_Deref ||
                     unary->getOpcode() == clang::UO_AddrOf)
               ? number(unary->getSubExpr(), path)
               : std::nullopt;
  if (unary) {
    auto value = number(unary->getSubExpr());
    if (value && unary->getOpcode() == clang::UO_Minus)
      return -*value;
    if (value && unary->getOpcode() == clang::UO_LNot)
      return *value == 0;
    return unary->getOpcode() == clang::UO_Plus ? value : std::nullopt;
  }
  auto *binary = llvm::dyn_cast<clang::BinaryOperator>(inner);
  if (!binary || !binary->getType()->isIntegralOrEnumerationType())
    return std::nullopt;
  auto left = number(binary->getLHS()), right = number(binary->getRHS());
  if (binary->isLogicalOp()) {
    // One side may decide: of `argc == 2 && !strcmp(argv[1], "all")`.
    const bool isAnd = binary->getOpcode() == clang::BO_LAnd;
    for (const auto &side : {left, right})
      if (side && (*side != 0) != isAnd)
        return !isAnd;
    return left && right ? std::optional<uint64_t>(isAnd) : std::nullopt;
  }
  if (!left || !right)
    return std::nullopt;
  if (assumesSizes_ && *right >= SizedGrid::size) {
    // The product of two sizes is one: `width * height`.
    if (binary->getOpcode() == clang::BO_Mul && *left >= SizedGrid::size)
      return SizedGrid::size;
    dividesBySize_ |= binary->getOpcode() == clang::BO_Div;
  }
  return applied(binary->getOpcode(), *left, *right);
}

std::optional<double> ShapeEvaluator::real(const clang::Expr *expression) {
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

std::optional<double>
ShapeEvaluator::followReal(const clang::Expr *expression) {
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
    dividesBySize_ |= assumesSizes_ && *right >= SizedGrid::size;
    return *right != 0 ? std::optional<double>(*left / *right) : std::nullopt;
  default:
    return std::nullopt;
  }
}

std::optional<double> ShapeEvaluator::rounded(const clang::CallExpr *call) {
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

/// The decision for a run with arguments of the program, or without.
static const char programArguments = 0;

/// Returns true for `!flag(argc, argv)` and `getenv("N") == nullptr`.
static bool asksForNone(const clang::Expr *condition) {
  condition = condition->IgnoreParenImpCasts();
  if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(condition))
    return unary->getOpcode() == clang::UO_LNot;
  auto *binary = llvm::dyn_cast<clang::BinaryOperator>(condition);
  return binary && binary->getOpcode() == clang::BO_EQ &&
         binary->getLHS()->getType()->isPointerType();
}

std::optional<unsigned> ShapeEvaluator::decideBy(const clang::Expr *condition,
                                                 const clang::Stmt *branch) {
  const auto known = number(condition);
  // A run without arguments uses defaults: `if (flag(argc, argv)) n = 7;`.
  if (!known && readsProgramArguments(condition) && isWithoutArguments())
    return asksForNone(condition);
  if (known)
    return *known != 0;
  const auto [same, isNegated] = sameAs(condition);
  if (!same)
    return decision(branch, 2);
  const auto holds = decision(same, 2);
  return holds ? std::optional<unsigned>(*holds != isNegated) : std::nullopt;
}

SameConditions::Asked
ShapeEvaluator::sameAs(const clang::Expr *condition) const {
  return reader_.sameConditions_.of(
      condition, reader_.context_, [&](const clang::VarDecl *variable) {
        return reader_.isChanged(variable);
      });
}

bool ShapeEvaluator::isWithoutArguments() {
  // The other alternatives are of runs with arguments, all of them.
  if (free_ && !decisions_.contains(&programArguments))
    return isFirstWay(&programArguments);
  const bool isWithout = decided(&programArguments, 2) == 0u;
  return note({&programArguments, 0}, isWithout);
}

bool ShapeEvaluator::isFirstWay(const void *what) {
  period_ = longestPeriod;
  return note({what, 0}, *free_ == 0);
}

std::optional<uint64_t> ShapeEvaluator::boundOrOpen(const void *what,
                                                    uint64_t bound) {
  const auto isOpen = isOfGrid_ ? 0u : decision(what, 2);
  return isOpen == 0u ? std::optional(bound) : std::nullopt;
}

std::optional<unsigned> ShapeEvaluator::decision(const void *what,
                                                 unsigned ways) {
  const auto answer = decided(what, ways);
  return answer ? std::optional(note({what, ways}, *answer)) : std::nullopt;
}

std::optional<unsigned> ShapeEvaluator::decided(const void *what,
                                                unsigned ways) {
  if (missing_.what || ways == 0)
    return std::nullopt;
  auto it = decisions_.find(what);
  if (it != decisions_.end())
    return it->second;
  mostWays_ = std::max(mostWays_, ways);
  period_ = commonPeriod(period_, ways);
  usesEnd_ |= free_ && ways > waysTried; // a few alternatives stand for all
  if (ways == 1 || free_)
    return free_.value_or(0) % ways;
  missing_ = {what, ways};
  return std::nullopt;
}

unsigned ShapeEvaluator::note(const Question &question, unsigned answer) {
  if (llvm::none_of(asked_,
                    [&](const auto &each) { return each.first == question; }))
    asked_.push_back({question, answer});
  return answer;
}

unsigned ShapeEvaluator::answer(const Question &question) {
  if (question.ways)
    return *decision(question.what, question.ways);
  return question.what == &programArguments ? isWithoutArguments()
                                            : isFirstWay(question.what);
}

const clang::InitListExpr *listIn(const clang::Expr *expression) {
  expression = expression->IgnoreImplicit()->IgnoreParens();
  if (auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(expression);
      construct && construct->getNumArgs())
    expression = construct->getArg(0)->IgnoreImplicit();
  if (auto *standard =
          llvm::dyn_cast<clang::CXXStdInitializerListExpr>(expression))
    expression = standard->getSubExpr()->IgnoreImplicit();
  auto *list = llvm::dyn_cast<clang::InitListExpr>(expression);
  if (list && list->getSemanticForm())
    list = list->getSemanticForm();
  const bool isWrapped =
      list && list->getType()->isRecordType() && list->getNumInits() == 1;
  return isWrapped ? listIn(list->getInit(0)) : list;
}

std::optional<uint64_t>
ShapeEvaluator::ofElement(const clang::ArraySubscriptExpr *subscript,
                          const MemberPath &path) {
  auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(
      subscript->getBase()->IgnoreParenImpCasts());
  auto *variable = reference
                       ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl())
                       : nullptr;
  if (!variable || !variable->getType()->isConstantArrayType() ||
      reader_.isChanged(variable))
    return std::nullopt;
  const clang::Expr *first = variable->getAnyInitializer();
  const clang::InitListExpr *list = first ? listIn(first) : nullptr;
  const std::optional<uint64_t> index = number(subscript->getIdx());
  if (!list || !index)
    return std::nullopt;
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

std::optional<uint64_t>
ShapeEvaluator::ofDim3(const clang::CXXConstructExpr *construct,
                       unsigned which) {
  if (construct->getNumArgs() == 1) { // from an uint3
    const clang::Expr *from = construct->getArg(0);
    if (auto *other = from->getType().getNonReferenceType()->getAsRecordDecl())
      for (const clang::FieldDecl *field : other->fields())
        if (field->getFieldIndex() == which)
          return number(from, {field});
  }
  return which < construct->getNumArgs() ? number(construct->getArg(which))
                                         : std::optional<uint64_t>(1);
}

bool isOfBase(const clang::FieldDecl *field, const clang::CXXRecordDecl *base) {
  auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(field->getParent());
  return base && record &&
         (base->getCanonicalDecl() == record->getCanonicalDecl() ||
          (base->hasDefinition() && base->isDerivedFrom(record)));
}

std::optional<uint64_t>
ShapeEvaluator::constructed(const clang::CXXConstructExpr *construct,
                            const MemberPath &path) {
  const clang::CXXConstructorDecl *constructor = construct->getConstructor();
  if (path.empty())
    return construct->getNumArgs() == 1 ? number(construct->getArg(0))
                                        : std::nullopt;
  if (constructor->isCopyOrMoveConstructor())
    return number(construct->getArg(0), path);
  const MemberPath rest(path.begin() + 1, path.end());
  // Initialised by the members' default initialisers.
  if (constructor->isDefaultConstructor() && !constructor->isUserProvided() &&
      path.front()->hasInClassInitializer())
    return number(path.front()->getInClassInitializer(), rest);
  if (constructor->getParent()->getName() == "dim3")
    return ofDim3(construct, path.front()->getFieldIndex());
  if (isPair(constructor->getParent()) && construct->getNumArgs() == 2 &&
      path.front()->getFieldIndex() < 2)
    return number(construct->getArg(path.front()->getFieldIndex()), rest);
  const std::optional<Entered> entered = enteredBy(construct);
  if (!entered || isInside(entered->function))
    return std::nullopt;
  const Found found =
      within(*entered, constructor->getParent()->getCanonicalDecl(), path);
  return found.change ? given(*found.change, path) : std::nullopt;
}

std::optional<uint64_t>
ShapeEvaluator::listed(const clang::CXXRecordDecl *record,
                       llvm::ArrayRef<clang::Expr *> values,
                       const MemberPath &path) {
  if (path.empty())
    return values.size() == 1 ? number(values.front())
           : values.size()    ? std::nullopt
                              : std::optional<uint64_t>(0);
  // An union has one value for all members.
  if (path.front()->getParent()->isUnion() || !record ||
      !record->hasDefinition())
    return std::nullopt;
  // Values of bases come first.
  unsigned which = 0;
  for (const clang::CXXBaseSpecifier &base : record->bases()) {
    if (isOfBase(path.front(), base.getType()->getAsCXXRecordDecl()))
      return which < values.size() ? number(values[which], path) : std::nullopt;
    ++which;
  }
  which += path.front()->getFieldIndex();
  return which < values.size()
             ? number(values[which], MemberPath(path.begin() + 1, path.end()))
             : std::nullopt;
}

std::optional<uint64_t>
ShapeEvaluator::ofMember(const clang::MemberExpr *member,
                         const MemberPath &path) {
  if (auto *variable = llvm::dyn_cast<clang::VarDecl>(member->getMemberDecl()))
    return valueOf(variable, path, member);
  auto *field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
  if (!field)
    return std::nullopt;
  // A grid that the host makes as large as its GPU. The shim's driver_types.h
  // renames the toolkit's structure.
  if (field->getParent()->getName().ends_with("cudaDeviceProp"))
    if (const auto answer = usualDevice(field->getName()))
      return answer;
  MemberPath longer{field};
  longer.append(path.begin(), path.end());
  auto value = number(member->getBase(), longer);
  // A const member keeps its default initialiser.
  const bool isKept =
      member->isArrow() &&
      llvm::isa<clang::CXXThisExpr>(member->getBase()->IgnoreParenImpCasts()) &&
      field->getType().isConstQualified() && field->hasInClassInitializer();
  return value || missing_.what || !isKept
             ? value
             : number(field->getInClassInitializer(), path);
}

std::optional<uint64_t> ShapeEvaluator::returned(const clang::CallExpr *call,
                                                 const MemberPath &path) {
  const clang::FunctionDecl *callee = call->getDirectCallee();
  if (!callee)
    return std::nullopt;
  bool extreme = callee->getIdentifier() && call->getNumArgs() == 2 &&
                 (callee->getName() == "min" || callee->getName() == "max");
  if (extreme && path.empty()) {
    auto a = number(call->getArg(0)), b = number(call->getArg(1));
    // A block of `min(n, 256)` has 256 threads, or as many as nobody knows.
    if (takesLargest_ && !isOfGrid_ && !a != !b && callee->getName() == "min")
      return boundOrOpen(call, a ? *a : *b);
    if (!a || !b)
      return std::nullopt;
    return callee->getName() == "min" ? std::min(int64_t(*a), int64_t(*b))
                                      : std::max(int64_t(*a), int64_t(*b));
  }
  if (callee->isInStdNamespace() && callee->getIdentifier() &&
      callee->getName() == "make_pair" && !path.empty() &&
      path.front()->getFieldIndex() < call->getNumArgs())
    return number(call->getArg(path.front()->getFieldIndex()),
                  MemberPath(path.begin() + 1, path.end()));
  const std::optional<Entered> entered = enteredBy(call);
  if (!entered || isInside(entered->function))
    return std::nullopt;
  // Returns the expression of a function that only returns.
  auto *block =
      llvm::dyn_cast<clang::CompoundStmt>(entered->function->getBody());
  auto *end = block && !block->body_empty()
                  ? llvm::dyn_cast<clang::ReturnStmt>(block->body_back())
                  : nullptr;
  if (!end || !end->getRetValue() || block->size() > 8)
    return std::nullopt;
  for (const clang::Stmt *early : block->body())
    if (early != end && !llvm::isa<clang::DeclStmt, clang::Expr>(early))
      return std::nullopt;
  reader_.addParents(entered->function);
  Inside inside(*this, *entered);
  return number(end->getRetValue(), path);
}

} // namespace warplint
