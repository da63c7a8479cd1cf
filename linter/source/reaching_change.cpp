#include "source/program_arguments.h"
#include "source/shape_evaluator.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

namespace warplint {

bool ShapeEvaluator::changes(const clang::Stmt *statement,
                             const HostObject *object, const MemberPath &path) {
  return reader_.mayChange(statement, object, path);
}

std::optional<uint64_t> ShapeEvaluator::valueOf(const HostObject *object,
                                                const MemberPath &path,
                                                const clang::Stmt *use) {
  auto value = assignedTo(object, path, use);
  auto *variable = llvm::dyn_cast<clang::VarDecl>(object);
  return value || missing_.what || !path.empty() || !variable
             ? value
             : bounded(variable, use);
}

std::optional<uint64_t> ShapeEvaluator::assignedTo(const HostObject *object,
                                                   const MemberPath &path,
                                                   const clang::Stmt *use) {
  const auto change = reaching(object, path, use);
  return change ? given(*change, path) : std::nullopt;
}

std::optional<uint64_t> ShapeEvaluator::given(const Change &change,
                                              const MemberPath &path) {
  if (change.number)
    return change.number;
  if (!change.value)
    return std::nullopt;
  std::optional<uint64_t> value;
  {
    Inside inside(*this, change.through);
    value = number(change.value,
                   MemberPath(path.begin() + change.path.size(), path.end()));
  }
  if (!change.with || !value)
    return value;
  // The previous value of what a call changes has another name there.
  if (!change.through.empty())
    return std::nullopt;
  auto before = valueOf(change.object, path, change.at);
  return before ? applied(*change.with, *before, *value) : std::nullopt;
}

std::optional<Change> ShapeEvaluator::reaching(const HostObject *object,
                                               const MemberPath &path,
                                               const clang::Stmt *use) {
  auto *variable = llvm::dyn_cast<clang::VarDecl>(object);
  const bool isVolatile = variable && variable->getType().isVolatileQualified();
  if (isVolatile || reader_.isKept(object, path) ||
      mayJumpTo(use, object, path) || isNameOfChanged(variable, path))
    return std::nullopt;
  const clang::Stmt *at = use;
  bool isLater = false; // a lambda is called behind the statements around it
  while (const clang::Stmt *parent = reader_.parents_.lookup(at)) {
    if (auto *block = llvm::dyn_cast<clang::CompoundStmt>(parent)) {
      if (isLater)
        for (const clang::Stmt *statement : llvm::reverse(block->body())) {
          if (statement == at)
            break;
          if (changes(statement, object, path))
            return std::nullopt;
        }
      Found found = before(block, at, object, path);
      if (found.done)
        return found.change;
    } else if (auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(parent)) {
      isLater |= llvm::none_of(lambda->captures(), [&](const auto &capture) {
        return capture.capturesVariable() &&
               capture.getCaptureKind() == clang::LCK_ByCopy &&
               capture.getCapturedVar() == object;
      });
    } else if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt,
                         clang::CXXForRangeStmt, clang::SwitchStmt>(parent)) {
      if (auto *range = llvm::dyn_cast<clang::CXXForRangeStmt>(parent);
          range && range->getLoopVariable() == object)
        return changes(range->getBody(), object, path)
                   ? std::nullopt
                   : elementOf(range, object);
      auto *loop = llvm::dyn_cast<clang::ForStmt>(parent);
      const clang::Stmt *first = loop ? loop->getInit() : nullptr;
      if (loop && at != first && changes(loop->getInc(), object, path))
        return llvm::isa<clang::VarDecl>(object) && path.empty()
                   ? counter(loop, object)
                   : std::nullopt;
      // A later statement of the loop may have changed it.
      for (const clang::Stmt *child : parent->children())
        if (child != first && changes(child, object, path))
          return std::nullopt;
      if (first && first != at) {
        Found found = in(first, object, path);
        if (found.done)
          return found.change;
      }
    }
    at = parent;
  }
  return fromOutside(object, path, at);
}

std::optional<Change> ShapeEvaluator::counter(const clang::ForStmt *loop,
                                              const HostObject *object) {
  Found start = loop->getInit() ? in(loop->getInit(), object, {}) : Found();
  auto *condition = llvm::dyn_cast_or_null<clang::BinaryOperator>(
      loop->getCond() ? loop->getCond()->IgnoreParenImpCasts() : nullptr);
  if (!start.change || !start.change->value || start.change->with ||
      !condition || rootObject(condition->getLHS()) != object ||
      changes(loop->getBody(), object, {}) || changes(condition, object, {}))
    return std::nullopt;
  auto value = number(start.change->value);
  const auto bound = number(condition->getRHS());
  Change change;
  change.object = object;
  if (value && !bound && free_) {
    // Any number of iterations: one launch has the first value.
    if (isFirstWay(loop))
      return std::nullopt;
    change.number = value;
    return change;
  }
  constexpr size_t longest = 1 << 16;
  std::vector<uint64_t> values;
  while (value && bound && values.size() < longest &&
         applied(condition->getOpcode(), *value, *bound).value_or(0)) {
    values.push_back(*value);
    value = stepped(loop->getInc(), object, *value);
  }
  if (values.empty() || !value || (values.size() >= mostDistinguished && !free_))
    return std::nullopt;
  if (values.size() >= mostDistinguished) { // the extremes stand for all
    values = {values.back(), values.front(), values[values.size() / 2]};
    usesEnd_ = true;
  }
  auto which = decision(loop, values.size());
  if (!which)
    return std::nullopt;
  change.number = values[*which];
  return change;
}

std::optional<Change>
ShapeEvaluator::elementOf(const clang::CXXForRangeStmt *loop,
                          const HostObject *variable) {
  const clang::Expr *range = loop->getRangeInit();
  auto *named = llvm::dyn_cast<clang::DeclRefExpr>(range->IgnoreParenImpCasts());
  if (named) {
    auto *array = llvm::dyn_cast<clang::VarDecl>(named->getDecl());
    range = array && !reader_.isChanged(array) ? array->getAnyInitializer()
                                               : nullptr;
  }
  const clang::InitListExpr *list = range ? listIn(range) : nullptr;
  if (!list || list->getNumInits() == 0 || list->hasArrayFiller() ||
      (list->getNumInits() > mostDistinguished && !free_))
    return std::nullopt;
  const auto which = decision(loop, list->getNumInits());
  if (!which)
    return std::nullopt;
  Change change;
  change.object = variable;
  change.value = list->getInit(*which);
  return change;
}

std::optional<uint64_t> ShapeEvaluator::stepped(const clang::Expr *step,
                                                const HostObject *object,
                                                uint64_t value) {
  step = step->IgnoreParenImpCasts();
  if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(step))
    return rootObject(unary->getSubExpr()) != object ? std::nullopt
           : unary->isIncrementOp() ? std::optional<uint64_t>(value + 1)
                                    : std::optional<uint64_t>(value - 1);
  auto *binary = llvm::dyn_cast<clang::BinaryOperator>(step);
  if (!binary || rootObject(binary->getLHS()) != object)
    return std::nullopt;
  if (binary->isCompoundAssignmentOp()) {
    auto by = number(binary->getRHS());
    return by ? applied(clang::BinaryOperator::getOpForCompoundAssignment(
                            binary->getOpcode()),
                        value, *by)
              : std::nullopt;
  }
  // i = i * 2
  auto *next = llvm::dyn_cast<clang::BinaryOperator>(
      binary->getRHS()->IgnoreParenImpCasts());
  if (!binary->isAssignmentOp() || !next ||
      rootObject(next->getLHS()) != object)
    return std::nullopt;
  auto by = number(next->getRHS());
  return by ? applied(next->getOpcode(), value, *by) : std::nullopt;
}

std::optional<Change>
ShapeEvaluator::fromOutside(const HostObject *object, const MemberPath &path,
                            const clang::Stmt *outermost) {
  if (auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(object))
    return argument(parameter);
  auto *variable = llvm::dyn_cast<clang::VarDecl>(object);
  if (!variable)
    return objectOf(object, path, outermost);
  const clang::Expr *initializer = variable->getAnyInitializer();
  std::vector<LaunchReader::Statement> later =
      reader_.changing_.lookup(variable);
  llvm::erase_if(later, [&](const LaunchReader::Statement &each) {
    return !changes(each.statement, variable, path);
  });
  // What only the program's arguments change has its default without them.
  const bool isOption =
      !later.empty() && llvm::all_of(later, [](const auto &each) {
        return readsProgramArguments(each.statement);
      });
  // Another source may change it, or a function that is not called.
  usesEnd_ |= variable->hasGlobalStorage() &&
              !variable->getType().isConstQualified() &&
              (variable->isExternallyVisible() || !later.empty());
  const clang::FunctionDecl *user = reader_.bodies_.lookup(outermost);
  if (later.size() == 1 && !isOption && user && later[0].inside != user)
    return setUp(variable, path, later[0]);
  // A size of 0 is no default but what a program without arguments refuses.
  const bool isDefault = isOption && initializer && isWithoutArguments() &&
                         !(path.empty() && number(initializer) == 0);
  if (!initializer || (!later.empty() && !isDefault))
    return std::nullopt;
  Change change;
  change.object = variable;
  change.value = initializer;
  return change;
}

std::optional<Change> ShapeEvaluator::setUp(const clang::VarDecl *variable,
                                            const MemberPath &path,
                                            const LaunchReader::Statement &by) {
  const clang::Expr *initializer = variable->getAnyInitializer();
  if (!variable->hasGlobalStorage() || !by.inside || !by.inside->getBody() ||
      (initializer && path.empty() && number(initializer) != 0))
    return std::nullopt;
  reader_.addParents(by.inside);
  return in(by.statement, variable, path).change;
}

std::optional<Change>
ShapeEvaluator::argument(const clang::ParmVarDecl *parameter) {
  auto *function =
      llvm::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext());
  const std::optional<Entered> entered =
      function ? entry(function) : std::nullopt;
  const unsigned index = parameter->getFunctionScopeIndex();
  if (!entered && function && isArgumentCount(*parameter) &&
      isWithoutArguments()) {
    Change change;
    change.object = parameter;
    change.number = 1; // the name of the program
    return change;
  }
  if (!entered || index >= entered->arguments.size())
    return std::nullopt;
  Change change;
  change.object = parameter;
  change.value = entered->arguments[index];
  usesEnd_ |= reader_.isCalledUnseen(function);
  passedBy_ = entered->call;
  return change;
}

std::optional<Change> ShapeEvaluator::objectOf(const HostObject *record,
                                               const MemberPath &path,
                                               const clang::Stmt *outermost) {
  const clang::FunctionDecl *function = reader_.bodies_.lookup(outermost);
  // The default initialiser of a member is part of the constructor.
  for (const Entered &entered : llvm::reverse(inside_)) {
    auto *constructor =
        llvm::dyn_cast<clang::CXXConstructorDecl>(entered.function);
    if (!function && constructor &&
        constructor->getParent()->getCanonicalDecl() == record)
      function = constructor;
  }
  auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
  if (!method)
    return std::nullopt;
  if (auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(method))
    return initialised(constructor, path);
  if (method->getParent()->isLambda()) { // that of the function around it
    auto *around = llvm::dyn_cast<clang::FunctionDecl>(
        method->getParent()->getDeclContext());
    if (!around || !around->getBody() ||
        changes(around->getBody(), record, path))
      return std::nullopt;
    reader_.addParents(around);
    return objectOf(record, path, around->getBody());
  }
  const std::optional<Entered> entered = entry(method);
  if (!entered || !entered->object)
    return std::nullopt;
  Change change;
  change.object = record;
  change.value = entered->object;
  return change;
}

std::optional<Change>
ShapeEvaluator::initialised(const clang::CXXConstructorDecl *constructor,
                            const MemberPath &path) {
  if (path.empty())
    return std::nullopt;
  Change change;
  change.object = constructor->getParent()->getCanonicalDecl();
  for (const clang::CXXCtorInitializer *one : constructor->inits()) {
    const bool isMember = one->getMember() == path.front();
    const clang::Type *base = one->getBaseClass();
    if (!isMember && !one->isDelegatingInitializer() &&
        !(base && isOfBase(path.front(), base->getAsCXXRecordDecl())))
      continue;
    change.value = one->getInit();
    if (isMember)
      change.path.push_back(path.front());
    return change;
  }
  return std::nullopt;
}

bool ShapeEvaluator::isInside(const clang::FunctionDecl *function) const {
  return llvm::any_of(inside_, [&](const Entered &entered) {
    return entered.function->getCanonicalDecl() == function->getCanonicalDecl();
  });
}

std::optional<Entered>
ShapeEvaluator::entry(const clang::FunctionDecl *function) {
  function = function->getCanonicalDecl();
  for (const Entered &entered : llvm::reverse(inside_))
    if (entered.function->getCanonicalDecl() == function)
      return entered;
  auto it = reader_.calls_.find(function);
  if (it == reader_.calls_.end() || withoutCallers_.contains(function))
    return std::nullopt;
  auto which = decision(function, it->second.size());
  if (!which)
    return std::nullopt;
  const LaunchReader::Call &call = it->second[*which];
  if (call.inside)
    reader_.addParents(call.inside);
  return partsOf(call.call);
}

ShapeEvaluator::Inside::Inside(ShapeEvaluator &evaluator,
                               llvm::ArrayRef<Entered> calls)
    : evaluator_(evaluator), entered_(calls.size()) {
  if (!entered_)
    return;
  outside_ = std::exchange(evaluator.known_, {});
  evaluator.inside_.append(calls.begin(), calls.end());
}

ShapeEvaluator::Inside::~Inside() {
  if (!entered_)
    return;
  evaluator_.known_ = std::move(outside_);
  evaluator_.inside_.pop_back_n(entered_);
}

/// Returns true if a `return` is part of the statement.
static bool returns(const clang::Stmt *statement) {
  return statement && !llvm::isa<clang::LambdaExpr>(statement) &&
         (llvm::isa<clang::ReturnStmt>(statement) ||
          llvm::any_of(statement->children(), returns));
}

ShapeEvaluator::Found ShapeEvaluator::within(const Entered &entered,
                                             const HostObject *object,
                                             const MemberPath &path) {
  auto *block =
      llvm::dyn_cast<clang::CompoundStmt>(entered.function->getBody());
  // After an early `return`, the later changes are none.
  if (!block || llvm::any_of(block->body(), [&](const clang::Stmt *each) {
        return each != block->body_back() && returns(each);
      }))
    return {true, std::nullopt};
  reader_.addParents(entered.function);
  if (reader_.labels_.contains(block))
    return {true, std::nullopt};
  Inside inside(*this, entered);
  Found found = before(block, nullptr, object, path);
  auto *constructor =
      llvm::dyn_cast<clang::CXXConstructorDecl>(entered.function);
  if (!found.done && constructor)
    found = {true, initialised(constructor, path)};
  if (found.change)
    found.change->through.insert(found.change->through.begin(), entered);
  return found;
}

ShapeEvaluator::Found ShapeEvaluator::before(const clang::CompoundStmt *block,
                                             const clang::Stmt *end,
                                             const HostObject *object,
                                             const MemberPath &path) {
  for (const clang::Stmt *statement :
       llvm::reverse(turnsBefore(block, end, object))) {
    Found found = in(statement, object, path);
    if (found.done)
      return found;
  }
  return {};
}

/// Returns true for a loop over the arguments of the program, and for a call
/// that is given them: `parse(argc, argv, &n)`.
static bool asksForArguments(const clang::Stmt *statement) {
  if (auto *loop = llvm::dyn_cast<clang::ForStmt>(statement))
    return readsProgramArguments(loop->getCond());
  if (auto *loop = llvm::dyn_cast<clang::WhileStmt>(statement))
    return readsProgramArguments(loop->getCond());
  if (auto *loop = llvm::dyn_cast<clang::CXXForRangeStmt>(statement))
    return readsProgramArguments(loop->getRangeInit());
  return llvm::isa<clang::CallExpr>(statement) &&
         readsProgramArguments(statement);
}

static bool isFalse(const clang::Expr *condition) {
  condition = condition->IgnoreParenImpCasts();
  if (auto *literal = llvm::dyn_cast<clang::IntegerLiteral>(condition))
    return literal->getValue() == 0;
  auto *literal = llvm::dyn_cast<clang::CXXBoolLiteralExpr>(condition);
  return literal && !literal->getValue();
}

/// Returns true for a body with a `break` or a `continue`.
static bool mayEndEarly(const clang::Stmt *statement) {
  return llvm::isa<clang::BreakStmt, clang::ContinueStmt>(statement) ||
         llvm::any_of(statement->children(), [](const clang::Stmt *child) {
           return child && mayEndEarly(child);
         });
}

ShapeEvaluator::Found ShapeEvaluator::in(const clang::Stmt *statement,
                                         const HostObject *object,
                                         const MemberPath &path) {
  if (!statement || !changes(statement, object, path))
    return {};
  if (auto *block = llvm::dyn_cast<clang::CompoundStmt>(statement))
    return before(block, nullptr, object, path);
  if (auto *branch = llvm::dyn_cast<clang::IfStmt>(statement)) {
    if (changes(branch->getCond(), object, path))
      return {true, std::nullopt};
    // What stands behind is executed by the other side: of `if (argc < 2)
    // exit(1); else n = atoi(argv[1]);`.
    if (leaves(branch->getThen()))
      return in(branch->getElse(), object, path);
    if (branch->getElse() && leaves(branch->getElse()))
      return in(branch->getThen(), object, path);
    if (raises(branch, object, path))
      return {true, std::nullopt};
    auto which = decideBy(branch->getCond(), branch);
    if (!which)
      return {true, std::nullopt};
    return in(*which ? branch->getThen() : branch->getElse(), object, path);
  }
  if (auto *cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(statement))
    return in(cleanups->getSubExpr(), object, path);
  // What macros that check for errors make of a call: `do { cudaError_t e =
  // call; if (e) exit(1); } while (0)`.
  if (auto *loop = llvm::dyn_cast<clang::DoStmt>(statement);
      loop && isFalse(loop->getCond()) && !mayEndEarly(loop->getBody()))
    return in(loop->getBody(), object, path);
  if (auto *declarations = llvm::dyn_cast<clang::DeclStmt>(statement);
      declarations && declarations->isSingleDecl())
    if (auto *variable =
            llvm::dyn_cast<clang::VarDecl>(declarations->getSingleDecl());
        variable && variable != object && !variable->isStaticLocal() &&
        variable->hasInit())
      if (auto *call =
              llvm::dyn_cast<clang::CallExpr>(stripped(variable->getInit())))
        return in(call, object, path);
  // Without arguments, a loop over them has no iteration.
  if (asksForArguments(statement) && isWithoutArguments()) {
    const Found found = followed(statement, object, path);
    return found.change ? found : Found();
  }
  return missing_.what ? Found{true, std::nullopt}
                       : followed(statement, object, path);
}

ShapeEvaluator::Found ShapeEvaluator::followed(const clang::Stmt *statement,
                                               const HostObject *object,
                                               const MemberPath &path) {
  // The statement changes it in a way that is not followed.
  std::optional<Change> change;
  unsigned count = 0;
  changesOf(statement, [&](const Change &made) {
    if (made.object != object || !overlap(made.path, path))
      return;
    ++count;
    change = made;
  });
  // Of `a.y = a.z = 1`, the inner assignment may be the one.
  if (const clang::Expr *assigned = count ? nullptr : assignedBy(statement))
    return in(stripped(assigned), object, path);
  bool known =
      count == 1 && change->path.size() <= path.size() &&
      std::equal(change->path.begin(), change->path.end(), path.begin()) &&
      (change->value || change->number || change->inCallee);
  for (const clang::Stmt *child : statement->children())
    known &= !changes(child, object, path);
  if (!known)
    return {true, std::nullopt};
  Found found{true, change};
  if (change->inCallee) {
    const auto entered = enteredBy(llvm::cast<clang::Expr>(statement));
    if (!entered || isInside(entered->function))
      return {true, std::nullopt};
    found = within(*entered, change->inCallee,
                   MemberPath(path.begin() + change->path.size(), path.end()));
    if (!found.change)
      return found;
    found.change->object = object;
    found.change->path.insert(found.change->path.begin(), change->path.begin(),
                              change->path.end());
  }
  found.change->at = statement;
  return found;
}

} // namespace warplint
