#include "source/host_loops.h"
#include "source/ast_place.h"
#include "source/host_calls.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

namespace {

using Callee = const clang::FunctionDecl *;

/// A statement that decides, and which of its branches is taken.
using Branch = std::pair<const clang::Stmt *, unsigned>;
using Path = std::vector<Branch>;

/// Something that an iteration of a loop, or a call of a function, executes.
struct Step {
  const clang::Expr *expression;      ///< a launch, a call, a construction
  Callee callee = nullptr;            ///< of a call that may be followed
  std::optional<HostCall> waits = {}; ///< if it does
  const clang::ValueDecl *ofHost = nullptr; ///< what it copies there, or from
  bool isFromDevice = false;                ///< it fills `ofHost`
  /// The branches around it, from the loop or the function on.
  Path path = {};
};

/// A loop, or the whole body of a function.
struct Scope {
  const clang::Stmt *loop = nullptr; ///< null: the function
  std::vector<size_t> inner;         ///< loops in it, in loops too
  std::vector<Step> steps;           ///< outside inner loops
  std::vector<Callee> callees;       ///< in inner loops too
  /// Named outside launches and calls of the runtime.
  llvm::DenseSet<const clang::ValueDecl *> named;
  bool readsMemory = false; ///< of what a kernel may have written
  bool takesTime = false;
  bool setsDevice = false;
};

/// How far calls are followed, and the most steps of one loop.
constexpr unsigned deepest = 4;
constexpr size_t mostSteps = 4096;

bool isPrefix(const Path &path, const Path &of) {
  return path.size() <= of.size() &&
         std::equal(path.begin(), path.end(), of.begin());
}

} // namespace

struct HostLoops::Function {
  std::vector<Scope> scopes; ///< the function itself first
};

/// Reads one function.
class HostLoops::Walk {
public:
  Walk(HostLoops &loops, clang::ASTContext &context, Function &into)
      : loops_(loops), context_(context), into_(into) {}

  void function(const clang::Stmt *body) {
    into_.scopes.emplace_back();
    open_ = {0};
    walk(body);
  }

private:
  Scope &inner() { return into_.scopes[open_.back()]; }

  template <class Set> void inAll(Set set) {
    for (size_t scope : open_)
      set(into_.scopes[scope]);
  }

  void children(const clang::Stmt *statement) {
    for (const clang::Stmt *child : statement->children())
      walk(child);
  }

  void branch(const clang::Stmt *of, unsigned which, const clang::Stmt *taken) {
    if (!taken)
      return;
    path_.push_back({of, which});
    walk(taken);
    path_.pop_back();
  }

  /// `repeated`: what each iteration executes, in order.
  void loop(const clang::Stmt *loop,
            std::initializer_list<const clang::Stmt *> repeated) {
    const size_t added = into_.scopes.size();
    inAll([&](Scope &scope) { scope.inner.push_back(added); });
    open_.push_back(added);
    into_.scopes.emplace_back().loop = loop;
    Path outer = std::exchange(path_, {});
    for (const clang::Stmt *each : repeated)
      walk(each);
    path_ = std::move(outer);
    open_.pop_back();
  }

  /// `do ... while (0)` is how macros make one statement of several.
  bool isOnce(const clang::DoStmt *loop) {
    clang::Expr::EvalResult value;
    const clang::Expr *condition = loop->getCond();
    return !condition->isValueDependent() &&
           condition->EvaluateAsInt(value, context_) &&
           !value.Val.getInt().getBoolValue();
  }

  /// A loop over a list of cases to try is code that the program runs a few
  /// times.
  bool isShort(const clang::CXXForRangeStmt *loop) {
    constexpr uint64_t few = 16;
    const clang::Expr *range = loop->getRangeInit();
    const clang::ConstantArrayType *array =
        range ? context_.getAsConstantArrayType(
                    range->IgnoreParenImpCasts()->getType())
              : nullptr;
    return array && array->getSize().getZExtValue() <= few;
  }

  std::optional<int64_t> constant(const clang::Expr *expression) {
    clang::Expr::EvalResult value;
    if (!expression || expression->isValueDependent() ||
        !expression->EvaluateAsInt(value, context_))
      return std::nullopt;
    return value.Val.getInt().getExtValue();
  }

  /// A loop from one constant to another, of a few iterations.
  bool isShort(const clang::ForStmt *loop) {
    constexpr int64_t few = 3;
    auto *declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    auto *counter =
        declared && declared->isSingleDecl()
            ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl())
            : nullptr;
    auto *test = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getCond());
    auto *step = llvm::dyn_cast_or_null<clang::UnaryOperator>(loop->getInc());
    auto isCounter = [&](const clang::Expr *expression) {
      auto *reference =
          llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
      return reference && reference->getDecl() == counter;
    };
    if (!counter || !test || !step || !step->isIncrementOp() ||
        !isCounter(step->getSubExpr()) || !isCounter(test->getLHS()))
      return false;
    const auto first = constant(counter->getInit()),
               end = constant(test->getRHS());
    const bool isIncluded = test->getOpcode() == clang::BO_LE;
    return first && end &&
           (isIncluded || test->getOpcode() == clang::BO_LT ||
            test->getOpcode() == clang::BO_NE) &&
           *end - *first + isIncluded <= few;
  }

  void walk(const clang::Stmt *statement) {
    if (!statement)
      return;
    if (auto *loop = llvm::dyn_cast<clang::ForStmt>(statement)) {
      walk(loop->getInit());
      if (isShort(loop))
        return walk(loop->getBody());
      return this->loop(loop,
                        {loop->getCond(), loop->getBody(), loop->getInc()});
    }
    if (auto *loop = llvm::dyn_cast<clang::WhileStmt>(statement))
      return this->loop(loop, {loop->getCond(), loop->getBody()});
    if (auto *loop = llvm::dyn_cast<clang::DoStmt>(statement))
      return isOnce(loop)
                 ? walk(loop->getBody())
                 : this->loop(loop, {loop->getBody(), loop->getCond()});
    if (auto *loop = llvm::dyn_cast<clang::CXXForRangeStmt>(statement)) {
      walk(loop->getRangeInit());
      return isShort(loop) ? walk(loop->getBody())
                           : this->loop(loop, {loop->getBody()});
    }
    if (auto *choice = llvm::dyn_cast<clang::IfStmt>(statement)) {
      walk(choice->getInit());
      walk(choice->getConditionVariableDeclStmt());
      walk(choice->getCond());
      branch(choice, 0, choice->getThen());
      return branch(choice, 1, choice->getElse());
    }
    if (auto *choice = llvm::dyn_cast<clang::SwitchStmt>(statement))
      return cases(choice);
    if (auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(statement)) {
      walk(choice->getCond());
      branch(choice, 0, choice->getTrueExpr());
      return branch(choice, 1, choice->getFalseExpr());
    }
    if (auto *both = llvm::dyn_cast<clang::BinaryOperator>(statement);
        both && both->isLogicalOp()) {
      walk(both->getLHS());
      return branch(both, 0, both->getRHS());
    }
    if (auto *handler = llvm::dyn_cast<clang::CXXCatchStmt>(statement))
      return branch(handler, 0, handler->getHandlerBlock());
    if (auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(statement))
      return loops_.noteFunction(lambda->getCallOperator());
    if (auto *declaration = llvm::dyn_cast<clang::DeclStmt>(statement))
      return variables(declaration);
    if (auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(statement))
      return this->construct(construct);
    if (auto *call = llvm::dyn_cast<clang::CallExpr>(statement))
      return this->call(call);
    // What Clang cannot resolve may read anything: a library whose header is
    // missing.
    if (llvm::isa<clang::RecoveryExpr>(statement) ||
        (isMemory(statement) && !isGiven_))
      inAll([](Scope &scope) { scope.readsMemory = true; });
    if (const clang::ValueDecl *name = nameIn(statement); name && !isGiven_)
      inAll([&](Scope &scope) { scope.named.insert(name); });
    children(statement);
  }

  void cases(const clang::SwitchStmt *choice) {
    walk(choice->getInit());
    walk(choice->getCond());
    auto *body = llvm::dyn_cast<clang::CompoundStmt>(choice->getBody());
    if (!body)
      return branch(choice, 0, choice->getBody());
    unsigned label = 0;
    for (const clang::Stmt *child : body->body()) {
      label += llvm::isa<clang::SwitchCase>(child);
      branch(choice, label, child);
    }
  }

  void variables(const clang::DeclStmt *declaration) {
    for (const clang::Decl *each : declaration->decls())
      if (auto *variable = llvm::dyn_cast<clang::VarDecl>(each)) {
        llvm::StringRef outer = std::exchange(
            variable_, variable->getIdentifier() ? variable->getName()
                                                 : llvm::StringRef());
        // A static variable is made once.
        if (!variable->isStaticLocal())
          walk(variable->getInit());
        variable_ = outer;
      }
  }

  static const clang::ValueDecl *nameIn(const clang::Stmt *statement) {
    if (auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(statement))
      return reference->getDecl();
    if (auto *member = llvm::dyn_cast<clang::MemberExpr>(statement))
      return llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    return nullptr;
  }

  /// The array or vector of a copy: the `h` of "h.data() + n".
  static const clang::ValueDecl *arrayOf(const clang::Expr *argument) {
    for (;;) {
      argument = argument->IgnoreParenCasts();
      if (const clang::ValueDecl *name = nameIn(argument))
        return name;
      if (auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(argument))
        argument = call->getImplicitObjectArgument();
      else if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(argument))
        argument = unary->getSubExpr();
      else if (auto *binary = llvm::dyn_cast<clang::BinaryOperator>(argument))
        argument = binary->getLHS();
      else if (auto *element =
                   llvm::dyn_cast<clang::ArraySubscriptExpr>(argument))
        argument = element->getBase();
      else
        return nullptr;
      if (!argument)
        return nullptr;
    }
  }

  /// An element of an array, or what a pointer leads to.
  static bool isMemory(const clang::Stmt *statement) {
    if (llvm::isa<clang::ArraySubscriptExpr>(statement))
      return true;
    if (auto *member = llvm::dyn_cast<clang::MemberExpr>(statement))
      return member->isArrow() &&
             llvm::isa<clang::FieldDecl>(member->getMemberDecl()) &&
             !llvm::isa<clang::CXXThisExpr>(
                 member->getBase()->IgnoreParenImpCasts());
    auto *unary = llvm::dyn_cast<clang::UnaryOperator>(statement);
    return unary && unary->getOpcode() == clang::UO_Deref;
  }

  void add(Step step) {
    step.path = path_;
    inner().steps.push_back(std::move(step));
  }

  void construct(const clang::CXXConstructExpr *construct) {
    children(construct);
    Step step{construct};
    step.waits = hostCallOf(*construct, variable_);
    step.callee = construct->getConstructor();
    inAll([&](Scope &scope) { scope.callees.push_back(step.callee); });
    add(std::move(step));
  }

  /// Returns true for a text, a function, and what the C library keeps behind a
  /// pointer, such as a FILE.
  bool isOfHost(clang::QualType pointee) const {
    const clang::RecordDecl *record = pointee->getAsRecordDecl();
    return pointee->isCharType() || pointee->isFunctionType() ||
           (record &&
            record->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
            context_.getSourceManager().isInSystemHeader(
                record->getLocation()));
  }

  /// Returns true if a function that is not followed may read what a pointer
  /// among its arguments leads to.
  bool mayRead(const clang::FunctionDecl &callee) const {
    return llvm::any_of(
        callee.parameters(), [&](const clang::ParmVarDecl *each) {
          const clang::QualType type = each->getType();
          return type->isPointerType() && !isOfHost(type->getPointeeType());
        });
  }

  void call(const clang::CallExpr *call) {
    Callee callee = call->getDirectCallee();
    const bool isLaunch = llvm::isa<clang::CUDAKernelCallExpr>(call);
    const bool ofRuntime = callee && isRuntimeFunction(*callee);
    {
      // The host hands pointers to the device without reading them.
      const bool outer =
          std::exchange(isGiven_, isGiven_ || isLaunch || ofRuntime);
      children(call);
      isGiven_ = outer;
    }
    Step step{call};
    step.waits = hostCallOf(*call, context_);
    if (const clang::Expr *memory = step.waits ? hostSideOf(*call) : nullptr) {
      step.ofHost = arrayOf(memory);
      step.isFromDevice = memory == call->getArg(0);
    }
    step.callee = isLaunch || ofRuntime ? nullptr : callee;
    const bool isVirtual =
        callee && llvm::isa<clang::CXXMethodDecl>(callee) &&
        llvm::cast<clang::CXXMethodDecl>(callee)->isVirtual();
    if (isVirtual)
      step.callee = nullptr;
    const bool reads = copiesLater(*call) || (readsView(*call) && !isGiven_);
    inAll([&](Scope &scope) {
      scope.readsMemory |= reads;
      scope.takesTime |= callee && takesTime(*callee);
      scope.setsDevice |= callee && callee->getIdentifier() &&
                          callee->getName() == "cudaSetDevice";
      scope.readsMemory |=
          !isLaunch && (!callee || isVirtual ||
                        (!ofRuntime && !step.waits && !callee->hasBody() &&
                         mayRead(*callee)));
      if (step.callee)
        scope.callees.push_back(step.callee);
    });
    add(std::move(step));
  }

  HostLoops &loops_;
  clang::ASTContext &context_;
  Function &into_;
  std::vector<size_t> open_; ///< scopes around the statement, outermost first
  Path path_;
  llvm::StringRef variable_; ///< that is initialised
  bool isGiven_ = false;     ///< in the arguments of a launch or of the runtime
};

HostLoops::HostLoops(clang::CompilerInstance &instance) : instance_(instance) {}
HostLoops::~HostLoops() = default;

void HostLoops::noteFunction(const clang::FunctionDecl *function) {
  if (!function || function->isDependentContext())
    return;
  const clang::Stmt *body = function->getBody();
  const bool isDeviceOnly = function->hasAttr<clang::CUDAGlobalAttr>() ||
                            (function->hasAttr<clang::CUDADeviceAttr>() &&
                             !function->hasAttr<clang::CUDAHostAttr>());
  if (!body || isDeviceOnly)
    return;
  auto [known, isNew] = functions_.try_emplace(function->getCanonicalDecl());
  if (!isNew)
    return;
  auto read = std::make_unique<Function>();
  Function &into = *read;
  known->second = std::move(read);
  order_.push_back(function->getCanonicalDecl());
  Walk(*this, instance_.getASTContext(), into).function(body);
}

namespace {

/// A step of an iteration, through the calls that lead to it.
struct Reached {
  const Step *step;
  const clang::Expr *calledAt; ///< in the loop; null if it stands there
  Path path;
};

} // namespace

HostLoops::Calls
HostLoops::read(const llvm::DenseSet<const clang::Expr *> &launches) const {
  auto bodyOf = [&](Callee callee) -> const Function * {
    auto found = functions_.find(callee->getCanonicalDecl());
    return found == functions_.end() ? nullptr : found->second.get();
  };

  // Code that a scope executes outside inner loops, calls followed.
  auto reach = [&](auto &self, const Scope &scope, const clang::Expr *calledAt,
                   const Path &before, unsigned depth,
                   std::vector<Reached> &into) -> void {
    for (const Step &step : scope.steps) {
      if (into.size() >= mostSteps)
        return;
      Path path = before;
      llvm::append_range(path, step.path);
      const clang::Expr *from = calledAt ? calledAt : step.expression;
      if (const Function *body = step.callee ? bodyOf(step.callee) : nullptr;
          body && depth < deepest && !step.waits &&
          !launches.contains(step.expression))
        self(self, body->scopes.front(), from, path, depth + 1, into);
      into.push_back({&step, calledAt, std::move(path)});
    }
  };

  // True of a scope, or of one that it calls.
  using IsSuch =
      llvm::function_ref<bool(const Function &function, const Scope &scope)>;
  auto any = [&](auto &self, const Function &function, const Scope &scope,
                 IsSuch isSuch, unsigned depth) -> bool {
    return isSuch(function, scope) ||
           (depth < deepest && llvm::any_of(scope.callees, [&](Callee callee) {
              const Function *body = bodyOf(callee);
              return body &&
                     self(self, *body, body->scopes.front(), isSuch, depth + 1);
            }));
  };
  auto has = [&](const Function &function, const Scope &scope,
                 bool Scope::*property) {
    return any(
        any, function, scope,
        [&](const Function &, const Scope &each) { return each.*property; }, 0);
  };
  // The host works with what was copied before it goes on, or what it works
  // with is copied.
  auto isNamed = [&](const Function &function, const Scope &scope,
                     const clang::ValueDecl *name) {
    return any(
        any, function, scope,
        [&](const Function &, const Scope &each) {
          return each.named.contains(name);
        },
        0);
  };

  auto isLaunch = [&](const Reached &each) {
    return launches.contains(each.step->expression);
  };
  // Many launches share what an iteration of the outer loop does once.
  auto launchesInside = [&](const Function &function, const Scope &scope) {
    return any(
        any, function, scope,
        [&](const Function &of, const Scope &each) {
          return llvm::any_of(each.inner, [&](size_t inner) {
            std::vector<Reached> reached;
            reach(reach, of.scopes[inner], nullptr, {}, 0, reached);
            return llvm::any_of(reached, isLaunch);
          });
        },
        0);
  };

  Calls result;
  clang::CompilerInstance &instance = instance_;
  for (Callee noted : order_) {
    const Function &function = *functions_.find(noted)->second;
    for (const Scope &scope : function.scopes) {
      if (!scope.loop || has(function, scope, &Scope::setsDevice))
        continue;
      std::vector<Reached> reached;
      reach(reach, scope, nullptr, {}, 0, reached);
      if (llvm::none_of(reached, isLaunch) || launchesInside(function, scope))
        continue;
      const bool readsMemory = has(function, scope, &Scope::readsMemory);
      const bool measures = has(function, scope, &Scope::takesTime);
      auto isNeeded = [&](HostCallKind kind) {
        return kind == HostCallKind::Synchronisation
                   ? readsMemory || measures
                   : kind == HostCallKind::Copy && measures;
      };
      // Data of the device that the host changes and gives back: a kernel could
      // have changed them where they are.
      auto comesFromDevice = [&](const Step &step) {
        return !step.isFromDevice &&
               llvm::any_of(reached, [&](const Reached &other) {
                 return other.step->isFromDevice &&
                        other.step->ofHost == step.ofHost;
               });
      };
      for (const Reached &each : reached) {
        if (!each.step->waits || isNeeded(each.step->waits->kind) ||
            (each.step->ofHost && !comesFromDevice(*each.step) &&
             isNamed(function, scope, each.step->ofHost)))
          continue;
        HostCall call = *each.step->waits;
        call.place = astPlace(instance, each.step->expression->getExprLoc());
        if (each.calledAt)
          call.calledAt = astPlace(instance, each.calledAt->getExprLoc());
        call.loop = astPlace(instance, scope.loop->getBeginLoc());
        for (const Reached &launch : reached) {
          if (!isLaunch(launch) || !isPrefix(each.path, launch.path))
            continue;
          std::vector<HostCall> &calls = result[launch.step->expression];
          if (!llvm::is_contained(calls, call))
            calls.push_back(call);
        }
      }
    }
  }
  return result;
}

} // namespace warplint
