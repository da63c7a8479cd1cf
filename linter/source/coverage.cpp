#include "source/coverage.h"
#include "ir/ir_graph.h"
#include "ir/normalise.h"
#include "ir/read_ir.h"
#include "source/ast_place.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"

namespace warplint {

// --- the watch --------------------------------------------------------------

namespace {

struct Touch {
  const llvm::Value *pointer; ///< null: not known
  Operation operation;
};

/// What an instruction does to memory, as far as the source can say it.
llvm::SmallVector<Touch, 2> touches(const llvm::Instruction &instruction) {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return {{load->getPointerOperand(), Operation::Load}};
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return {{store->getPointerOperand(), Operation::Store}};
  if (auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return {{atomic->getPointerOperand(), Operation::Atomic}};
  if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return {{exchange->getPointerOperand(), Operation::Atomic}};
  auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call || llvm::isa<llvm::DbgInfoIntrinsic>(call))
    return {};
  if (auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(call))
    return {{copy->getDest(), Operation::Store},
            {copy->getSource(), Operation::Load}};
  if (auto *set = llvm::dyn_cast<llvm::MemSetInst>(call))
    return {{set->getDest(), Operation::Store}};
  const llvm::Function *callee = call->getCalledFunction();
  if (callee && (callee->getName() == passedMarker ||
                 callee->getName().starts_with("llvm.lifetime")))
    return {};
  // Any other call may be an atomic to the source.
  if (!call->mayReadOrWriteMemory() &&
      !llvm::isa<llvm::InlineAsm>(call->getCalledOperand()))
    return {};
  const llvm::Value *pointer = nullptr;
  for (const llvm::Value *argument : call->args())
    if (argument->getType()->isPointerTy())
      pointer = argument;
  return {{pointer, Operation::Atomic}};
}

/// What a pointer that is still kept in a variable, as a parameter is before
/// anything is simplified, was set to; null if that is not one value.
const llvm::Value *keptIn(const llvm::AllocaInst *variable) {
  const llvm::Value *kept = nullptr;
  for (const llvm::User *user : variable->users()) {
    if (llvm::isa<llvm::LoadInst>(user))
      continue;
    auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (store && store->getPointerOperand() == variable && !kept)
      kept = store->getValueOperand();
    else if (!llvm::isa<llvm::IntrinsicInst>(user))
      return nullptr;
  }
  return kept;
}

InstructionWatch::Whose whose(const llvm::Value *pointer) {
  if (!pointer)
    return InstructionWatch::Whose::Others;
  const llvm::Value *object = objectBehind(pointer);
  constexpr unsigned calls = 64; // a reference handed on from call to call
  for (unsigned i = 0; i < calls; ++i) {
    auto *load = llvm::dyn_cast<llvm::LoadInst>(object);
    auto *variable =
        load ? llvm::dyn_cast<llvm::AllocaInst>(load->getPointerOperand())
             : nullptr;
    const llvm::Value *kept = variable ? keptIn(variable) : nullptr;
    if (!kept)
      break;
    object = objectBehind(kept);
  }
  if (llvm::isa<llvm::AllocaInst>(object))
    return InstructionWatch::Whose::Own;
  if (auto *argument = llvm::dyn_cast<llvm::Argument>(object);
      argument && argument->hasByValAttr())
    return InstructionWatch::Whose::Own;
  auto *table = llvm::dyn_cast<llvm::GlobalVariable>(object);
  return table && table->isConstant() ? InstructionWatch::Whose::Constants
                                      : InstructionWatch::Whose::Others;
}

} // namespace

void InstructionWatch::begin(llvm::Module &module, const Emitted &emitted) {
  for (llvm::Function &function : module) {
    const llvm::DISubprogram *subprogram = function.getSubprogram();
    if (function.isDeclaration() || !subprogram)
      continue;
    auto it = emitted.functions.find(function.getName().str());
    if (it != emitted.functions.end())
      functions_[it->second->getCanonicalDecl()].push_back(subprogram);
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (const llvm::DILocation *location = instruction.getDebugLoc())
        emitted_.insert(
            {subprogram, location->getLine(), location->getColumn()});
  }
}

void InstructionWatch::note(llvm::Function &function, Fates &fates,
                            bool present) {
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    const llvm::DILocation *location = instruction.getDebugLoc();
    if (!location)
      continue;
    for (Touch touch : touches(instruction)) {
      Fate &fate = fates[{location->getScope()->getSubprogram(),
                          location->getLine(), location->getColumn(),
                          touch.operation, location->getInlinedAt()}];
      if (fate.look != look_)
        fate.whose = Whose::Own;
      fate.location = location;
      fate.look = look_;
      fate.whose = std::max(fate.whose, whose(touch.pointer));
      fate.isPresent |= present;
    }
  }
}

void InstructionWatch::look(llvm::Function &kernel) {
  ++look_;
  note(kernel, kernels_[kernel.getName().str()], /*present=*/false);
}

void InstructionWatch::end(llvm::Function &kernel) {
  ++look_;
  Fates &fates = kernels_[kernel.getName().str()];
  // What calls itself is still a function of its own.
  llvm::SmallVector<llvm::Function *, 4> work{&kernel};
  llvm::SmallPtrSet<llvm::Function *, 4> seen{&kernel};
  while (!work.empty()) {
    llvm::Function *function = work.pop_back_val();
    note(*function, fates, /*present=*/true);
    for (const llvm::Instruction &instruction : llvm::instructions(*function))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (llvm::Function *callee = call->getCalledFunction();
            callee && !callee->isDeclaration() && seen.insert(callee).second)
          work.push_back(callee);
  }
}

const std::vector<const llvm::DISubprogram *> &
InstructionWatch::functionsOf(const clang::FunctionDecl *decl) const {
  static const std::vector<const llvm::DISubprogram *> none;
  auto it = functions_.find(decl->getCanonicalDecl());
  return it == functions_.end() ? none : it->second;
}

// --- the syntax tree --------------------------------------------------------

namespace {

struct MemoryExpression {
  const clang::Expr *expression;
  clang::SourceLocation location; ///< where Clang puts its instructions
  Operation operation;
  bool isCall;     ///< of a library's function: what it does is inside of it
  bool isConstant; ///< its value is known to Clang
  bool isDead;     ///< in a branch that is never taken
};

struct Body {
  std::vector<MemoryExpression> expressions;
  std::vector<const clang::FunctionDecl *> callees;
  std::set<clang::SourceLocation> touched; ///< whatever may touch memory
};

enum class Memory { None, Own, Other };

/// What an lvalue lies in: a scalar of the thread's own, an array of its own,
/// or memory behind a pointer, a reference, a global name.
Memory memoryOf(const clang::Expr *expression) {
  bool subscripted = false;
  for (;;) {
    expression = expression->IgnoreParens();
    if (auto *cast = llvm::dyn_cast<clang::CastExpr>(expression)) {
      if (cast->getCastKind() == clang::CK_LValueToRValue)
        return Memory::Other; // a pointer's value
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
        return Memory::None; // its value is at hand
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
  Body body;

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

  // Nothing is read to find out a size or a type.
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr *) {
    return true;
  }
  bool TraverseCXXNoexceptExpr(clang::CXXNoexceptExpr *) { return true; }
  bool TraverseRequiresExpr(clang::RequiresExpr *) { return true; }
  bool TraverseConstantExpr(clang::ConstantExpr *) { return true; }
  bool TraverseStaticAssertDecl(clang::StaticAssertDecl *) { return true; }
  bool TraverseTypeLoc(clang::TypeLoc, bool = true) { return true; }
  bool TraverseCXXRecordDecl(clang::CXXRecordDecl *) { return true; }
  /// A lambda's body is read where it is called; its captures are read here.
  bool TraverseLambdaExpr(clang::LambdaExpr *lambda) {
    for (clang::Expr *captured : lambda->capture_inits())
      if (captured && !TraverseStmt(captured))
        return false;
    return true;
  }
  /// What braces hold, with the conversions that it goes through.
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
  /// What is initialised is written at its name.
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
  void traverseUnless(bool dead, clang::Stmt *part) {
    dead_ += dead;
    TraverseStmt(part);
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
      return; // a number with a name
    body.expressions.push_back({lvalue->IgnoreParenImpCasts(), location,
                                operation, false, constant, dead_ != 0});
  }

  clang::ASTContext &context_;
  unsigned dead_ = 0; ///< branches around that are never taken
};

} // namespace

struct CoverageReader::State {
  State(ParsedSource &source, const InstructionWatch &watch, const Names &names)
      : source(source), watch(watch), names(names) {}

  const Body &bodyOf(const clang::FunctionDecl *function) {
    auto [it, fresh] = bodies.try_emplace(function);
    if (fresh && function->hasBody()) {
      BodyReader reader(source.context());
      reader.read(*function);
      it->second = std::move(reader.body);
    }
    return it->second;
  }

  /// A function's definition, and what it calls, and so on.
  std::vector<const clang::FunctionDecl *>
  reachedFrom(const clang::FunctionDecl &kernel) {
    std::vector<const clang::FunctionDecl *> reached;
    std::set<const clang::FunctionDecl *> seen;
    auto reach = [&](const clang::FunctionDecl *function) {
      if (const clang::FunctionDecl *definition = function->getDefinition())
        if (!definition->isDependentContext() && seen.insert(definition).second)
          reached.push_back(definition);
    };
    reach(&kernel);
    for (size_t next = 0; next < reached.size(); ++next)
      for (const clang::FunctionDecl *callee : bodyOf(reached[next]).callees)
        reach(callee);
    return reached;
  }

  Place placeOf(clang::SourceLocation location) {
    return astPlace(source.instance(), location);
  }

  ParsedSource &source;
  const InstructionWatch &watch;
  const Names &names;
  std::map<const clang::FunctionDecl *, Body> bodies;
};

namespace {

using Chained = std::tuple<Place, std::vector<Place>, Operation>;

/// How many accesses the model has at a place, by a chain of calls.
std::map<Chained, unsigned> accessesByPlace(const Kernel &kernel) {
  std::map<Chained, unsigned> result;
  for (const Access &access : kernel.accesses)
    ++result[{access.place, access.callSites, access.operation}];
  return result;
}

constexpr const char *inRegisters =
    "the thread's own memory, which is in registers";
constexpr const char *noEffect =
    "never reached, or its value is never used, as LLVM's passes found";
constexpr const char *constant = "a constant, known to Clang";
constexpr const char *table = "a table of constants, which the compiler keeps";
constexpr const char *dead = "in a branch that is never taken";

/// One kernel's fates, found by any of the frames that an instruction is in.
class FateIndex {
public:
  using Found = std::vector<const InstructionWatch::Fates::value_type *>;
  explicit FateIndex(const InstructionWatch::Fates &fates) {
    for (const auto &entry : fates)
      for (const llvm::DILocation *frame = entry.second.location; frame;
           frame = frame->getInlinedAt())
        byFrame_[{frame->getScope()->getSubprogram(), frame->getLine(),
                  frame->getColumn()}]
            .push_back(&entry);
  }
  const Found &at(const llvm::DISubprogram *function, unsigned line,
                  unsigned column) const {
    static const Found none;
    auto it = byFrame_.find({function, line, column});
    return it == byFrame_.end() ? none : it->second;
  }

private:
  std::map<std::tuple<const llvm::DISubprogram *, unsigned, unsigned>, Found>
      byFrame_;
};

} // namespace

CoverageReader::CoverageReader(ParsedSource &source,
                               const InstructionWatch &watch,
                               const Names &names)
    : state_(std::make_unique<State>(source, watch, names)) {}
CoverageReader::~CoverageReader() = default;

namespace {

/// Holds one kernel's expressions against its accesses.
class KernelCoverage {
public:
  KernelCoverage(const Kernel &kernel, const InstructionWatch &watch,
                 const Names &names, clang::ASTContext &context)
      : watch_(watch), names_(names), context_(context),
        accesses_(accessesByPlace(kernel)),
        fates_(watch.fates(kernel.mangled)) {}

  Coverage result;

  void add(const MemoryExpression &expression, const Place &place,
           const std::vector<const llvm::DISubprogram *> &functions) {
    bool found = false, emitted = false;
    for (const llvm::DISubprogram *function : functions) {
      emitted |= watch_.wasEmitted(function, place.line, place.column);
      // One chain of calls at a time.
      std::map<const llvm::DILocation *, FateIndex::Found> chains;
      for (const auto *fate : fates_.at(function, place.line, place.column))
        if (const llvm::DILocation *frame =
                frameIn(fate->second.location, function, place);
            belongs(*fate, frame, expression))
          chains[frame->getInlinedAt()].push_back(fate);
      for (const auto &[chain, fates] : chains) {
        found = true;
        judge(expression, place, fates);
      }
    }
    if (found)
      return;
    ++result.expressions;
    if (expression.isConstant)
      explained(constant, expression, place);
    else if (expression.isDead)
      explained(dead, expression, place);
    else if (emitted)
      explained(noEffect, expression, place);
    else
      unexplained(expression, place);
  }

private:
  static const llvm::DILocation *frameIn(const llvm::DILocation *location,
                                         const llvm::DISubprogram *function,
                                         const Place &place) {
    for (; location; location = location->getInlinedAt())
      if (location->getScope()->getSubprogram() == function &&
          location->getLine() == place.line &&
          location->getColumn() == place.column)
        return location;
    return nullptr;
  }

  /// A call does what is inside of it; else it is the instruction at the very
  /// place.
  static bool belongs(const InstructionWatch::Fates::value_type &fate,
                      const llvm::DILocation *frame,
                      const MemoryExpression &expression) {
    if (expression.isCall)
      return true;
    return frame == fate.second.location &&
           fate.first.operation == expression.operation;
  }

  void judge(const MemoryExpression &expression, const Place &place,
             const FateIndex::Found &fates) {
    ++result.expressions;
    auto whose = InstructionWatch::Whose::Own;
    bool present = false;
    for (const auto *fate : fates) {
      auto [where, callSites] = framesOf(fate->second.location, names_);
      bool any = accesses_.count({where, callSites, fate->first.operation});
      // To the IR a call is a call, to the model a load, a store or an atomic.
      if (fate->first.operation == Operation::Atomic)
        for (Operation operation : {Operation::Load, Operation::Store})
          any |= accesses_.count({where, callSites, operation}) != 0;
      if (any) {
        ++result.withAccess;
        return;
      }
      whose = std::max(whose, fate->second.whose);
      present |= fate->second.isPresent;
    }
    if (whose == InstructionWatch::Whose::Own)
      explained(inRegisters, expression, place);
    else if (whose == InstructionWatch::Whose::Constants)
      explained(table, expression, place);
    else if (present)
      unexplained(expression, place);
    else
      explained(noEffect, expression, place);
  }

  void explained(const char *why, const MemoryExpression &expression,
                 const Place &place) {
    Coverage::Reason &reason = result.without[why];
    if (reason.count++ == 0)
      reason.first = {place, astText(context_, expression.expression)};
  }

  void unexplained(const MemoryExpression &expression, const Place &place) {
    result.unexplained.push_back(
        {place, astText(context_, expression.expression)});
  }

  const InstructionWatch &watch_;
  const Names &names_;
  clang::ASTContext &context_;
  std::map<Chained, unsigned> accesses_;
  FateIndex fates_;
};

} // namespace

Coverage CoverageReader::read(const Kernel &kernel,
                              const clang::FunctionDecl &function) {
  State &state = *state_;
  KernelCoverage coverage(kernel, state.watch, state.names,
                          state.source.context());
  std::set<Place> touched;
  for (const clang::FunctionDecl *reached : state.reachedFrom(function)) {
    const Body &body = state.bodyOf(reached);
    touched.insert(state.placeOf(reached->getLocation()));
    touched.insert(state.placeOf(reached->getBeginLoc()));
    for (clang::SourceLocation location : body.touched)
      touched.insert(state.placeOf(location));
    // What a library's own lines do is the library's, and what a default
    // constructor copies stands nowhere.
    if (reached->isDefaulted() ||
        !state.names.isUser(state.placeOf(reached->getLocation()).file))
      continue;
    for (const MemoryExpression &expression : body.expressions)
      coverage.add(expression, state.placeOf(expression.location),
                   state.watch.functionsOf(reached));
  }
  for (const Access &access : kernel.accesses)
    if (state.names.isUser(access.place.file) && !touched.count(access.place))
      coverage.result.withoutExpression.push_back(
          {access.place, access.text.empty() ? access.object : access.text});
  return std::move(coverage.result);
}

} // namespace warplint
