#include "source/read_source.h"
#include "base/allowance_marker.h"
#include "base/readable_name.h"
#include "input/kokkos_search.h"
#include "source/access_namer.h"
#include "source/ast_place.h"
#include "source/host_loops.h"
#include "source/launch_reader.h"
#include "source/layout_spellings.h"
#include "source/member_type.h"
#include "source/own_pointers.h"
#include "source/packed_arguments.h"
#include "source/written_operations.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Serialization/ASTReader.h"
#include "llvm/Support/Path.h"
#include <map>

namespace warplint {

namespace {

class FactReader : public clang::RecursiveASTVisitor<FactReader> {
public:
  FactReader(ParsedSource &source, const Emitted &emitted)
      : instance_(source.instance()), context_(source.context()),
        launchReader_(context_), kokkosReader_(context_, emitted),
        hostLoops_(instance_),
        namer_(context_, [this](clang::SourceLocation location) {
          return inLibrary(location);
        }) {
    for (const auto &[name, function] : emitted.functions)
      irNames_[function->getCanonicalDecl()] = name;
  }

  SourceFacts read(ParsedSource &source) {
    // Visits a source even if code generation found no kernel: the names of
    // kernels in one of its headers come from here.
    for (const auto *groups : {&source.ofPreamble, &source.groups})
      for (clang::DeclGroupRef group : *groups)
        for (clang::Decl *decl : group)
          if (!inLibrary(decl->getLocation()))
            TraverseDecl(decl);
    readLaunches();
    readDispatches();
    readHostLoops();
    readCaptured();
    readLayouts();
    readFiles(source);
    facts_.names.operationAt = [operations = std::move(operations_),
                                &context = context_](const Place &place) {
      return operations.describe(context, place);
    };
    return std::move(facts_);
  }

  // Launches in templates are only in their instances.
  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseDecl(clang::Decl *decl) {
    if (decl && decl->getLocation().isValid() &&
        llvm::isa<clang::FunctionDecl, clang::CXXRecordDecl>(decl) &&
        inLibrary(decl->getLocation()))
      return true;
    auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(decl);
    const clang::FunctionDecl *outer = function_;
    if (function) {
      function_ = function;
      facts_.hasDeviceFunctions |= isDeviceFunction(*function);
      hasMain_ |= function->isMain();
      hostLoops_.noteFunction(function);
      if (function->doesThisDeclarationHaveABody() &&
          !function->isDependentContext())
        functions_.push_back(function);
    }
    bool go = RecursiveASTVisitor::TraverseDecl(decl);
    function_ = outer;
    return go;
  }

  bool VisitFunctionTemplateDecl(clang::FunctionTemplateDecl *kernel) {
    const clang::FunctionDecl &pattern = *kernel->getTemplatedDecl();
    if (pattern.hasAttr<clang::CUDAGlobalAttr>() && isDeviceFunction(pattern) &&
        kernel->specializations().empty())
      facts_.templates.push_back({kernel->getNameAsString(),
                                  astPlace(instance_, kernel->getLocation())});
    return true;
  }

  bool VisitStmt(clang::Stmt *statement) {
    launchReader_.noteStatement(statement, function_);
    return true;
  }

  /// A generic lambda is visited as its instances.
  bool VisitLambdaExpr(clang::LambdaExpr *lambda) {
    if (clang::FunctionTemplateDecl *generic =
            lambda->getDependentCallOperator())
      for (clang::FunctionDecl *instance : generic->specializations())
        TraverseDecl(instance);
    return true;
  }

  bool TraverseConstructorInitializer(clang::CXXCtorInitializer *initializer) {
    if (const clang::FieldDecl *member = initializer->getMember();
        member && initializer->isWritten() && !member->getName().empty())
      facts_.names.stores.add(placeOf(initializer->getSourceLocation()),
                              namer_.nameOfMember(*member));
    return RecursiveASTVisitor::TraverseConstructorInitializer(initializer);
  }

  /// A constructor that does not name a member initialises it at the place of
  /// the member, or of its default where that is a list.
  bool VisitFieldDecl(clang::FieldDecl *member) {
    if (const clang::Expr *first = member->getInClassInitializer();
        first && !member->getName().empty())
      for (clang::SourceLocation at :
           {member->getLocation(), first->getExprLoc()})
        facts_.names.stores.add(placeOf(at), namer_.nameOfMember(*member));
    return true;
  }

  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr *subscript) {
    return addLoad(subscript, subscript);
  }
  bool VisitMemberExpr(clang::MemberExpr *member) {
    if (llvm::isa<clang::FieldDecl, clang::VarDecl>(member->getMemberDecl()))
      addLoad(member, member);
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr *reference) {
    if (llvm::isa<clang::VarDecl>(reference->getDecl()) &&
        !isLambda(*reference))
      addLoad(reference, reference);
    if (auto *function =
            llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()))
      ++references_[function->getCanonicalDecl()];
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator *unary) {
    addOperation(unary);
    if (unary->getOpcode() == clang::UO_Deref)
      addLoad(unary, unary);
    else if (unary->isIncrementDecrementOp())
      addBoth(unary, unary->getSubExpr());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator *binary) {
    addOperation(binary);
    if (!binary->isAssignmentOp())
      return true;
    // '=' loads nothing of what it assigns to, but for the word of a bit-field.
    // In another instance of a template it copies a structure, and loads.
    return binary->isCompoundAssignmentOp() ||
                   binary->getLHS()->refersToBitField()
               ? addBoth(binary, binary->getLHS())
               : addStore(binary, binary->getLHS());
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *construct) {
    launchReader_.noteCall(construct, function_);
    addPassed(construct, construct->getConstructor(), nullptr,
              {construct->getArgs(), construct->getNumArgs()});
    if (construct->getNumArgs() == 1 &&
        construct->getConstructor()->isCopyOrMoveConstructor())
      addLoad(construct, construct->getArg(0));
    return true;
  }
  bool
  VisitAbstractConditionalOperator(clang::AbstractConditionalOperator *choice) {
    addOperation(choice);
    return true;
  }
  bool VisitExplicitCastExpr(clang::ExplicitCastExpr *cast) {
    addOperation(cast);
    // Code generation gives the conversion the place of what is converted.
    if (!cast->isTypeDependent() &&
        cast->getType()->isSpecificBuiltinType(clang::BuiltinType::Double))
      if (auto *inner =
              llvm::dyn_cast<clang::ImplicitCastExpr>(cast->getSubExpr()))
        operations_.addCast(placeOf(inner->getExprLoc()));
    return true;
  }
  bool VisitCallExpr(clang::CallExpr *call) {
    addOperation(call);
    launchReader_.noteCall(call, function_);
    kokkosReader_.noteCall(call, function_);
    facts_.names.calls.try_emplace(placeOf(call->getExprLoc()),
                                   astText(context_, call));
    addPassed(call);
    if (auto *assignment = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call)) {
      clang::OverloadedOperatorKind kind = assignment->getOperator();
      if (isSubscript(*assignment))
        addIndexes(call);
      if (kind == clang::OO_Equal && call->getNumArgs() == 2) {
        // A structure copy loads its right-hand side.
        addStore(call, call->getArg(0));
        return addLoad(call, call->getArg(1));
      }
      const bool changes = assignment->isAssignmentOp() ||
                           kind == clang::OO_PlusPlus ||
                           kind == clang::OO_MinusMinus;
      return addOperands(call, changes ? call->getArg(0) : call);
    }
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (!callee || !callee->getIdentifier())
      return true;
    llvm::StringRef name = callee->getName();
    bool onPointer = name.starts_with("atomic") ||
                     name.starts_with("__nv_atomic") ||
                     name.starts_with("__ld") || name.starts_with("__st");
    if (onPointer && call->getNumArgs())
      return addPassedOn(call, call->getArg(0));
    if (auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call);
        member && isAtomicObject(*member->getImplicitObjectArgument()))
      return addPassedOn(call, member->getImplicitObjectArgument());
    if (copies(name))
      return addCopy(call);
    addOperands(call, call);
    return addLaunch(call, name);
  }
  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr *launch) {
    if (const clang::FunctionDecl *kernel = launch->getDirectCallee())
      --references_[kernel->getCanonicalDecl()];
    const clang::CallExpr *config = launch->getConfig();
    // In device code the function and its parameters' memory come first.
    constexpr unsigned onHost = 4, onDevice = 6;
    const unsigned count = config ? config->getNumArgs() : 0;
    const unsigned first = count >= onDevice ? count - onHost : 0;
    if (count >= 2)
      launches_.push_back(
          {launch, function_, launch->getCallee(), config->getArg(first),
           config->getArg(first + 1), nullptr, argumentsOf(launch, 0),
           writtenIn(config, first + 2), writtenIn(config, first + 3)});
    return true;
  }

  bool VisitGCCAsmStmt(clang::GCCAsmStmt *assembly) {
    const Place begin = placeOf(assembly->getAsmLoc());
    const unsigned last = placeOf(assembly->getEndLoc()).line;
    if (last > begin.line)
      facts_.names.assemblyEnds[begin] = last;
    return true;
  }

  bool VisitForStmt(clang::ForStmt *loop) {
    return addLoop(loop, loop->getCond());
  }
  bool VisitWhileStmt(clang::WhileStmt *loop) {
    return addLoop(loop, loop->getCond());
  }
  bool VisitDoStmt(clang::DoStmt *loop) {
    return addLoop(loop, loop->getCond());
  }

private:
  /// Returns true for a function that the source itself writes for the device.
  bool isDeviceFunction(const clang::FunctionDecl &function) {
    auto *device = function.getAttr<clang::CUDADeviceAttr>();
    return function.doesThisDeclarationHaveABody() &&
           (function.hasAttr<clang::CUDAGlobalAttr>() ||
            (device && !device->isImplicit())) &&
           context_.getSourceManager().isInMainFile(
               context_.getSourceManager().getExpansionLoc(
                   function.getLocation()));
  }

  /// Returns true for a place in a library's header.
  bool inLibrary(clang::SourceLocation location) {
    const clang::SourceManager &sources = context_.getSourceManager();
    location = sources.getExpansionLoc(location);
    auto [known, isNew] =
        libraryFiles_.try_emplace(sources.getFileID(location), false);
    if (isNew)
      known->second = sources.isInSystemHeader(location) ||
                      (kokkosReader_.any() &&
                       isKokkosHeader(sources.getFilename(location)));
    return known->second;
  }

  Place placeOf(clang::SourceLocation location) {
    return astPlace(instance_, location);
  }

  void addPassed(const clang::CallExpr *call) {
    llvm::ArrayRef<const clang::Expr *> arguments(call->getArgs(),
                                                  call->getNumArgs());
    const clang::Expr *object = nullptr;
    auto *method =
        llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
    if (auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call))
      object = member->getImplicitObjectArgument();
    else if (llvm::isa<clang::CXXOperatorCallExpr>(call) && method &&
             !method->isStatic() && !arguments.empty()) {
      // A lambda's 'this' is that of the function around it.
      object = isLambda(*arguments.front()) ? nullptr : arguments.front();
      arguments = arguments.drop_front();
    }
    addPassed(call, call->getDirectCallee(), object, arguments);
  }

  /// Notes what a call passes by reference to a device function of the user's.
  void addPassed(const clang::Expr *call, const clang::FunctionDecl *callee,
                 const clang::Expr *object,
                 llvm::ArrayRef<const clang::Expr *> arguments) {
    if (!callee || !callee->hasAttr<clang::CUDADeviceAttr>() ||
        inLibrary(callee->getLocation()))
      return;
    PassedObjects passed;
    auto add = [&](int parameter, const clang::Expr *argument) {
      if (argument && !argument->isTypeDependent())
        passed.emplace(parameter, namer_.nameOfPassed(argument));
    };
    add(NamedAccess::ofThis, object);
    for (unsigned i = 0; i < arguments.size() && i < callee->getNumParams();
         ++i)
      if (callee->getParamDecl(i)->getType()->isReferenceType())
        add(i, arguments[i]);
    if (passed.empty())
      return;
    auto [known, isNew] = facts_.names.passed.try_emplace(
        placeOf(call->getExprLoc()), std::move(passed));
    // Of two calls at one place, as in a macro, none is known to be the one.
    if (!isNew && llvm::any_of(known->second, [&](const auto &each) {
          auto other = passed.find(each.first);
          return other == passed.end() ||
                 other->second.text != each.second.text;
        }))
      known->second.clear();
  }

  void addOperation(const clang::Expr *expression) {
    operations_.add(placeOf(expression->getExprLoc()), expression);
  }

  static bool copies(llvm::StringRef name) {
    return name == "memcpy" || name == "memmove" || name == "memset" ||
           name == "memcpy_async" || name == "__pipeline_memcpy_async" ||
           name == "__builtin_memcpy" || name == "__builtin_memmove" ||
           name == "__builtin_memset";
  }

  /// An argument of a launch or of a call that makes one, if it is written.
  static const clang::Expr *writtenIn(const clang::CallExpr *config,
                                      unsigned argument) {
    return config->getNumArgs() > argument &&
                   !llvm::isa<clang::CXXDefaultArgExpr>(
                       config->getArg(argument))
               ? config->getArg(argument)
               : nullptr;
  }

  /// The first pointer argument is written, the next one is read.
  bool addCopy(const clang::CallExpr *call) {
    bool written = false;
    for (const clang::Expr *argument : call->arguments()) {
      const clang::Expr *plain = argument->IgnoreParenImpCasts();
      if (!plain->getType()->isPointerType() &&
          !plain->getType()->isArrayType())
        continue;
      if (written)
        return addLoad(call, argument);
      addStore(call, argument);
      written = true;
    }
    return true;
  }

  static std::vector<const clang::Expr *>
  argumentsOf(const clang::CallExpr *call, unsigned from) {
    return {call->getArgs() + from, call->getArgs() + call->getNumArgs()};
  }

  bool addLaunch(const clang::CallExpr *call, llvm::StringRef name) {
    unsigned count = call->getNumArgs();
    bool plain =
        name == "cudaLaunchKernel" || name == "cudaLaunchCooperativeKernel";
    if (plain && count >= 3)
      launches_.push_back(
          {call, function_, call->getArg(0), call->getArg(1), call->getArg(2),
           nullptr,
           count > 3 ? packedArguments(call->getArg(3), function_)
                     : std::vector<const clang::Expr *>(),
           count > 4 ? call->getArg(4) : nullptr, writtenIn(call, 5)});
    bool extended =
        name == "cudaLaunchKernelEx" || name == "cudaLaunchKernelExC";
    if (!extended || count < (name == "cudaLaunchKernelEx" ? 2 : 3))
      return true;
    auto *address = llvm::dyn_cast<clang::UnaryOperator>(
        call->getArg(0)->IgnoreParenImpCasts());
    if (address && address->getOpcode() == clang::UO_AddrOf)
      launches_.push_back({call, function_, call->getArg(1), nullptr, nullptr,
                           address->getSubExpr()->IgnoreParenImpCasts(),
                           name == "cudaLaunchKernelEx"
                               ? argumentsOf(call, 2)
                               : packedArguments(call->getArg(2), function_)});
    return true;
  }

  NamedAccess nameAt(const clang::Expr *at, const clang::Expr *what) const {
    NamedAccess name = namer_.name(what);
    name.macro = astMacro(context_, at->getExprLoc());
    return name;
  }

  /// Adds dependent expressions from the instances.
  bool addLoad(const clang::Expr *at, const clang::Expr *what) {
    if (at->isTypeDependent() || what->isTypeDependent())
      return true;
    facts_.names.loads.add(placeOf(at->getExprLoc()), nameAt(at, what));
    return true;
  }
  bool addStore(const clang::Expr *at, const clang::Expr *what) {
    if (at->isTypeDependent() || what->isTypeDependent())
      return true;
    facts_.names.stores.add(placeOf(at->getExprLoc()), nameAt(at, what));
    return true;
  }
  bool addBoth(const clang::Expr *at, const clang::Expr *what) {
    addLoad(at, what);
    return addStore(at, what);
  }

  /// An access that a library makes for the user where `pointer` leads. That
  /// may be a call, too, and the access is no less the user's:
  /// 'atomicAdd(s.get(), x)'.
  bool addPassedOn(const clang::Expr *at, const clang::Expr *pointer) {
    if (at->isTypeDependent() || pointer->isTypeDependent())
      return true;
    NamedAccess named = nameAt(at, pointer);
    named.isCall = false;
    facts_.names.loads.add(placeOf(at->getExprLoc()), named);
    facts_.names.stores.add(placeOf(at->getExprLoc()), std::move(named));
    return true;
  }

  /// Names what a library's function does by `named`, but for what it reads of
  /// small objects that it gets by reference: a 'thrust::complex' or a vector.
  bool addOperands(const clang::CallExpr *call, const clang::Expr *named) {
    if (call->isTypeDependent() || named->isTypeDependent())
      return true;
    NamedAccess load = nameAt(call, named);
    facts_.names.stores.add(placeOf(call->getExprLoc()), load);
    auto add = [&](const clang::Expr *operand) {
      if (operand && isSmallObject(*operand))
        load.operands.push_back(namer_.name(operand));
    };
    auto *op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
    const auto kind = op ? op->getOperator() : clang::OO_None;
    const bool leadsOn = // '*p' and 'p->', not 'a * b'
        kind == clang::OO_Arrow ||
        (kind == clang::OO_Star && call->getNumArgs() == 1);
    if (!(op && isSubscript(*op)) && !leadsOn) {
      if (auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call))
        add(member->getImplicitObjectArgument());
      llvm::for_each(call->arguments(), add);
      load.whole = astText(context_, call);
    }
    facts_.names.loads.add(placeOf(call->getExprLoc()), std::move(load));
    return true;
  }

  /// A value of a class that lies in memory. What is larger may be a library's
  /// own: the memory that its algorithm works in.
  bool isSmallObject(const clang::Expr &expression) const {
    constexpr int64_t largest = 16; // bytes: a complex double, a float4
    const clang::Expr &object = *expression.IgnoreParenImpCasts();
    const clang::QualType type = object.getType();
    const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
    return object.isGLValue() && record && !type->isDependentType() &&
           !type->isIncompleteType() && !record->isInvalidDecl() &&
           !record->isEmpty() && record->hasTrivialDestructor() &&
           context_.getTypeSizeInChars(type).getQuantity() <= largest;
  }

  /// Returns true for a 'cuda::atomic', a 'cuda::atomic_ref' or a pointer to
  /// one, of any of their namespaces.
  static bool isAtomicObject(const clang::Expr &object) {
    clang::QualType type = object.IgnoreParenImpCasts()->getType();
    if (type->isPointerType())
      type = type->getPointeeType();
    const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
    return record && record->getIdentifier() &&
           (record->getName() == "atomic" || record->getName() == "atomic_ref");
  }

  void addIndexes(const clang::CallExpr *call) {
    std::vector<std::string> indexes;
    for (const clang::Expr *index : argumentsOf(call, 1))
      indexes.push_back(astText(context_, index));
    facts_.names.indexes.try_emplace(placeOf(call->getExprLoc()),
                                     NamedIndexes{std::move(indexes), {}});
    const clang::QualType array = call->getArg(0)->getType();
    if (const auto *record =
            array.isNull() ? nullptr : array->getAsCXXRecordDecl();
        record && !hasLayouts_)
      hasLayouts_ = layoutOf(*record);
  }

  /// Runs last, since a use of an array may follow its access.
  void readLayouts() {
    if (!hasLayouts_)
      return;
    for (auto &[place, spelling] : layoutSpellings(
             functions_,
             {context_,
              [&](clang::SourceLocation location) { return placeOf(location); },
              [&](clang::SourceLocation location) {
                return inLibrary(location);
              },
              hasMain_}))
      if (auto named = facts_.names.indexes.find(place);
          named != facts_.names.indexes.end())
        named->second.spelling = std::move(spelling);
  }

  bool addLoop(const clang::Stmt *loop, const clang::Expr *condition) {
    if (!condition)
      return true;
    condition = condition->IgnoreParenImpCasts();
    NamedBound bound;
    auto *compare = llvm::dyn_cast<clang::BinaryOperator>(condition);
    if (compare && compare->isComparisonOp()) {
      const clang::Expr *end = compare->getRHS()->IgnoreParenImpCasts();
      bound.text = astText(context_, end);
      auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(end);
      if (reference && reference->refersToEnclosingVariableOrCapture() &&
          !reference->getDecl()->getType().isConstQualified())
        captured_.push_back(
            {placeOf(loop->getBeginLoc()),
             reference->getDecl()->getPotentiallyDecomposedVarDecl()});
    }
    facts_.names.loopBounds.try_emplace(placeOf(loop->getBeginLoc()), bound);
    return true;
  }

  void readCaptured() {
    for (const auto &[loop, variable] : captured_) {
      if (!variable)
        continue;
      const clang::Expr *first = variable->getInit();
      clang::Expr::EvalResult value;
      const bool isConstant = first && !first->isValueDependent() &&
                              first->EvaluateAsInt(value, context_);
      facts_.names.loopBounds[loop].captured = {
          placeOf(variable->getLocation()),
          isConstant && !launchReader_.isChanged(variable)};
    }
  }

  /// Runs last: only then are all changes of variables known.
  void readLaunches() {
    // A template's own launch leaves open what its instances know.
    llvm::DenseSet<clang::SourceLocation> instances;
    for (const WrittenLaunch &written : launches_)
      if (!isInTemplate(written))
        instances.insert(written.expression->getExprLoc());
    llvm::erase_if(launches_, [&](const WrittenLaunch &written) {
      return isInTemplate(written) &&
             instances.contains(written.expression->getExprLoc());
    });
    readOwnMemory();
    for (const WrittenLaunch &written : launches_)
      for (const ReadLaunch &read : launchReader_.read(written)) {
        std::string kernel = irName(read.kernel);
        if (!kernel.empty()) {
          keep(written.expression,
               {std::move(kernel), placeOf(read.at->getExprLoc()),
                // The device runs the grids of several streams at once.
                isInOneOfSeveral(written.stream) ? decltype(read.grid)()
                                                 : read.grid,
                read.block, read.arguments, read.sizesKnown,
                read.sharedMemory});
          facts_.launches.back().fromCaller = read.fromCaller;
          facts_.launches.back().sized = read.sized;
          const auto own = ownMemory_.find(read.kernel->getCanonicalDecl());
          if (own == ownMemory_.end())
            continue;
          for (const auto &[position, bytes] : own->second)
            facts_.launches.back().ownMemory.push_back({position, bytes});
        }
      }
  }

  /// Notes the arguments that lead to memory of their own in all launches of a
  /// kernel, also in those that are not evaluated.
  void readOwnMemory() {
    llvm::DenseSet<const clang::FunctionDecl *> seen;
    for (const WrittenLaunch &written : launches_) {
      auto *launch =
          llvm::dyn_cast<clang::CUDAKernelCallExpr>(written.expression);
      const clang::FunctionDecl *kernel =
          launch ? launch->getDirectCallee() : nullptr;
      if (!kernel || !areAllLaunchesSeen(*kernel))
        continue;
      std::map<unsigned, uint64_t> here;
      if (written.inside)
        for (unsigned i :
             ownPointers_.positions(*written.inside, written.arguments))
          here[i] = allocatedBytes(*written.inside, *written.arguments[i]);
      auto &own = ownMemory_[kernel->getCanonicalDecl()];
      if (seen.insert(kernel->getCanonicalDecl()).second) {
        own = std::move(here);
        continue;
      }
      std::erase_if(
          own, [&](const auto &known) { return !here.count(known.first); });
      for (auto &[position, bytes] : own) {
        const uint64_t other = here[position];
        bytes = bytes && other ? std::max(bytes, other) : 0;
      }
    }
  }

  /// The most that the allocations of an argument ask for; 0 if only the run
  /// knows.
  uint64_t allocatedBytes(const clang::FunctionDecl &function,
                          const clang::Expr &argument) {
    uint64_t most = 0;
    for (const clang::Expr *size : ownPointers_.sizes(function, argument)) {
      const auto bytes = launchReader_.number(size, &function);
      if (!bytes)
        return 0;
      most = std::max(most, *bytes);
    }
    return most;
  }

  /// Returns true if nothing but the launches of this source may name the
  /// kernel, by the names alone: another source of a program with `main` here
  /// would have to declare it again.
  bool areAllLaunchesSeen(const clang::FunctionDecl &kernel) const {
    const clang::SourceManager &sources = context_.getSourceManager();
    const auto isOnlyHere = [&](const clang::FunctionDecl &function) {
      return llvm::all_of(
          function.redecls(), [&](const clang::FunctionDecl *declared) {
            return sources.isInMainFile(
                sources.getExpansionLoc(declared->getLocation()));
          });
    };
    const clang::FunctionDecl *pattern =
        kernel.getTemplateInstantiationPattern();
    return references_.lookup(kernel.getCanonicalDecl()) == 0 &&
           isOnlyHere(kernel) && (!pattern || isOnlyHere(*pattern)) &&
           (pattern || hasMain_ || !kernel.isExternallyVisible());
  }

  /// Returns true for a stream that an index chooses: "streams[i % 4]".
  bool isInOneOfSeveral(const clang::Expr *stream) const {
    if (!stream)
      return false;
    stream = stream->IgnoreParenImpCasts();
    const clang::Expr *index = nullptr;
    if (auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(stream))
      index = element->getIdx();
    else if (auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(stream);
             call && call->getOperator() == clang::OO_Subscript)
      index = call->getArg(1);
    clang::Expr::EvalResult value;
    return index && !index->isValueDependent() &&
           !index->EvaluateAsInt(value, context_);
  }

  static bool isInTemplate(const WrittenLaunch &written) {
    return written.inside && written.inside->isDependentContext();
  }

  void readDispatches() {
    facts_.dispatches = kokkosReader_.read(launchReader_);
    for (const KokkosReader::Dispatch &dispatch : facts_.dispatches) {
      Launch launch;
      launch.kernel = dispatch.kernel;
      if (dispatch.call)
        launch.place = placeOf(dispatch.call->getExprLoc());
      launch.block = dispatch.policy.block;
      launch.byPolicy = true;
      launch.tile = tileOf(dispatch);
      keep(dispatch.call, std::move(launch));
    }
  }

  void keep(const clang::Expr *expression, Launch launch) {
    facts_.launches.push_back(std::move(launch));
    launchedBy_.push_back(expression);
  }

  void readHostLoops() {
    llvm::DenseSet<const clang::Expr *> launches;
    for (const clang::Expr *expression : launchedBy_)
      if (expression)
        launches.insert(expression);
    const HostLoops::Calls calls = hostLoops_.read(launches);
    for (size_t i = 0; i < launchedBy_.size(); ++i)
      if (launchedBy_[i])
        facts_.launches[i].hostCalls = calls.lookup(launchedBy_[i]);
  }

  std::optional<Tile> tileOf(const KokkosReader::Dispatch &dispatch) {
    const KokkosPolicy &policy = dispatch.policy;
    if (!dispatch.isTiled || policy.tile.empty())
      return std::nullopt;
    Tile tile;
    tile.isGiven = policy.isTileGiven;
    tile.elements = 1;
    if (dispatch.written)
      tile.place = placeOf(dispatch.written->getExprLoc());
    for (size_t i = 0; i < policy.tile.size(); ++i) {
      if (!policy.tile[i])
        return std::nullopt;
      tile.sizes.push_back(*policy.tile[i]);
      const auto &begin = policy.begin[i], &end = policy.end[i];
      if (!tile.elements || !begin || !end)
        tile.elements.reset();
      else
        *tile.elements *= *end > *begin ? *end - *begin : 0;
    }
    return tile;
  }

  /// Returns a kernel's name in the IR, also for kernels of other sources.
  std::string irName(const clang::FunctionDecl *kernel) {
    auto it = irNames_.find(kernel->getCanonicalDecl());
    if (it != irNames_.end())
      return it->second;
    return kernel->hasAttr<clang::CUDAGlobalAttr>() &&
                   !kernel->isDependentContext()
               ? mangledName(*kernel)
               : "";
  }

  void readFiles(const ParsedSource &source) {
    const clang::SourceManager &sources = context_.getSourceManager();
    for (unsigned i = 0; i < sources.local_sloc_entry_size(); ++i)
      readFile(sources.getLocalSLocEntry(i));
    clang::ASTReader *reader = instance_.getASTReader().get();
    if (!reader)
      return;
    for (clang::serialization::ModuleFile &header :
         reader->getModuleManager()) {
      if (header.FileName != source.preamble) {
        readFilesOfPrecompiledHeader(*reader, header);
        continue;
      }
      // Clang counts what it has loaded from -2 downwards.
      const int first = header.SLocEntryBaseID;
      for (unsigned i = 0; i < header.LocalNumSLocEntries; ++i)
        readFile(sources.getLoadedSLocEntry(-2 - (first + int(i))));
    }
  }

  void readFile(const clang::SrcMgr::SLocEntry &entry) {
    if (!entry.isFile() || !entry.getFile().getContentCache().OrigEntry)
      return;
    const clang::SourceManager &sources = context_.getSourceManager();
    clang::FileID id = sources.getFileID(
        clang::SourceLocation::getFromRawEncoding(entry.getOffset()));
    if (id == sources.getPreambleFileID()) // no file of anyone's
      return;
    // A header may declare itself a system header in its first lines.
    const bool isSystems = inLibrary(sources.getLocForEndOfFile(id));
    const std::string file = placeOf(sources.getLocForStartOfFile(id)).file;
    if (isSystems) {
      facts_.names.systemFiles.insert(file);
      return;
    }
    facts_.names.userFiles.insert(file);
    auto text = sources.getBufferDataOrNone(id);
    if (!text)
      return;
    if (hasAllowanceMarker(*text))
      facts_.names.markedFiles.insert(file);
    facts_.mentionsKernels |= text->contains("__global__");
  }

  /// A precompiled header contains no file of the user's.
  void readFilesOfPrecompiledHeader(clang::ASTReader &reader,
                                    clang::serialization::ModuleFile &header) {
    reader.visitInputFileInfos(
        header, /*IncludeSystem=*/true,
        [&](const clang::serialization::InputFileInfo &file, bool) {
          llvm::SmallString<256> path(file.UnresolvedImportedFilename);
          instance_.getVirtualFileSystem().makeAbsolute(path);
          llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
          facts_.names.systemFiles.insert(path.str().str());
        });
  }

  clang::CompilerInstance &instance_;
  clang::ASTContext &context_;
  SourceFacts facts_;
  LaunchReader launchReader_;
  OwnPointers ownPointers_;
  /// The bytes that its arguments lead to, by position; 0: unknown.
  llvm::DenseMap<const clang::FunctionDecl *, std::map<unsigned, uint64_t>>
      ownMemory_;
  /// By kernel, where it is named but in its launches.
  llvm::DenseMap<const clang::FunctionDecl *, int> references_;
  bool hasMain_ = false;
  bool hasLayouts_ = false; ///< an array with one has an index
  std::vector<const clang::FunctionDecl *> functions_; ///< with bodies
  KokkosReader kokkosReader_;
  HostLoops hostLoops_;
  /// By SourceFacts::launches; null for a dispatch that was not seen.
  std::vector<const clang::Expr *> launchedBy_;
  const clang::FunctionDecl *function_ = nullptr; ///< being traversed
  std::vector<WrittenLaunch> launches_;
  AccessNamer namer_;
  WrittenOperations operations_;
  /// Captured variables that bound loops, by the loop's place.
  std::vector<std::pair<Place, const clang::VarDecl *>> captured_;
  llvm::DenseMap<clang::FileID, bool> libraryFiles_;
  llvm::DenseMap<const clang::FunctionDecl *, std::string> irNames_;
};

} // namespace

std::string mangledName(const clang::FunctionDecl &kernel) {
  std::unique_ptr<clang::MangleContext> mangler(
      kernel.getASTContext().createMangleContext());
  if (!mangler->shouldMangleDeclName(&kernel))
    return kernel.getName().str();
  std::string name;
  llvm::raw_string_ostream out(name);
  mangler->mangleName(
      clang::GlobalDecl(&kernel, clang::KernelReferenceKind::Kernel), out);
  return name;
}

SourceFacts readFacts(ParsedSource &source, const Emitted &emitted) {
  return FactReader(source, emitted).read(source);
}

/// Parses "warplint.block_size (16, 8, 1), (2, 1, 1)", which the shim makes of
/// __block_size__: a block, and optionally a cluster.
static std::optional<Shape> demandedShape(llvm::StringRef note) {
  if (!note.consume_front("warplint.block_size "))
    return std::nullopt;
  bool single = !note.ltrim().starts_with("(");
  Shape shape;
  note = note.ltrim(" (");
  for (unsigned *dimension : {&shape.x, &shape.y, &shape.z}) {
    if (note.consumeInteger(10, *dimension))
      return std::nullopt;
    note = note.ltrim();
    if (single || !note.consume_front(","))
      break;
    note = note.ltrim();
  }
  return shape;
}

void describeKernel(ParsedSource &source, const clang::FunctionDecl &function,
                    Kernel &kernel) {
  clang::ASTContext &context = source.context();
  kernel.name.clear();
  llvm::raw_string_ostream out(kernel.name);
  clang::PrintingPolicy policy = context.getPrintingPolicy();
  policy.SuppressInlineNamespace = true;
  policy.SuppressUnwrittenScope = true; // "(anonymous namespace)::"
  function.getNameForDiagnostic(out, policy, /*Qualified=*/true);
  kernel.place = astPlace(source.instance(), function.getLocation());
  if (auto kokkos = kokkosKernel(function, context)) {
    kernel.name = kokkos->name;
    kernel.isDispatched = true;
    kernel.place = astPlace(source.instance(), kokkos->body);
  }
  kernel.name = withNumericCharacters(kernel.name);
  for (auto *note : function.specific_attrs<clang::AnnotateAttr>())
    if (auto shape = demandedShape(note->getAnnotation()))
      kernel.shapes = {{*shape, ShapeSource::LaunchBounds, kernel.place, {}}};
  if (auto *bounds = function.getAttr<clang::CUDALaunchBoundsAttr>()) {
    auto number = [&](const clang::Expr *expression) -> unsigned {
      clang::Expr::EvalResult result;
      if (!expression || expression->isValueDependent() ||
          !expression->EvaluateAsInt(result, context))
        return 0;
      return result.Val.getInt().getExtValue();
    };
    kernel.bounds = LaunchBounds{number(bounds->getMaxThreads()),
                                 number(bounds->getMinBlocks())};
  }
}

} // namespace warplint
