#include "source/read_source.h"
#include "input/kokkos_search.h"
#include "source/ast_place.h"
#include "source/emitted_lines.h"
#include "source/host_loops.h"
#include "source/layout_spellings.h"
#include "source/member_type.h"
#include "source/read_files.h"
#include "source/written_accesses.h"
#include "source/written_launches.h"
#include "source/written_operations.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace warplint {

namespace {

class FactReader : public clang::RecursiveASTVisitor<FactReader> {
public:
  FactReader(ParsedSource &source, const Emitted &emitted)
      : instance_(source.instance()), context_(source.context()),
        emitted_(emitted), launchReader_(context_),
        launches_(instance_, emitted), kokkosReader_(context_, emitted),
        hostLoops_(instance_), lines_(*emitted.module, instance_),
        accesses_(
            instance_, lines_,
            [this](clang::SourceLocation location) {
              return inLibrary(location);
            },
            facts_.names) {}

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
    facts_.mentionsKernels = readFiles(
        source,
        [this](clang::SourceLocation location) { return inLibrary(location); },
        facts_.names);
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
    if (decl && emitted_.isLeftOut(decl))
      return true;
    auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(decl);
    const clang::FunctionDecl *outer = function_;
    if (function) {
      function_ = function;
      facts_.hasDeviceFunctions |= isDeviceFunction(*function);
      launches_.noteFunction(*function);
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
      accesses_.addInitialisation(initializer->getSourceLocation(), *member);
    return RecursiveASTVisitor::TraverseConstructorInitializer(initializer);
  }

  /// A constructor that does not name a member initialises it at the place of
  /// the member, or of its default where that is a list.
  bool VisitFieldDecl(clang::FieldDecl *member) {
    if (const clang::Expr *first = member->getInClassInitializer();
        first && !member->getName().empty())
      for (clang::SourceLocation at :
           {member->getLocation(), first->getExprLoc()})
        accesses_.addInitialisation(at, *member);
    return true;
  }

  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr *subscript) {
    accesses_.addLoad(subscript, subscript);
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr *member) {
    if (llvm::isa<clang::FieldDecl, clang::VarDecl>(member->getMemberDecl()))
      accesses_.addLoad(member, member);
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr *reference) {
    if (llvm::isa<clang::VarDecl>(reference->getDecl()) &&
        !isLambda(*reference))
      accesses_.addLoad(reference, reference);
    if (auto *function =
            llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl())) {
      launches_.noteReference(*function);
      launchReader_.noteReference(function);
    }
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator *unary) {
    addOperation(unary);
    if (unary->getOpcode() == clang::UO_Deref)
      accesses_.addLoad(unary, unary);
    else if (unary->isIncrementDecrementOp())
      accesses_.addBoth(unary, unary->getSubExpr());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator *binary) {
    addOperation(binary);
    if (!binary->isAssignmentOp())
      return true;
    // '=' loads nothing of what it assigns to, but for the word of a bit-field.
    // In another instance of a template it copies a structure, and loads.
    if (binary->isCompoundAssignmentOp() ||
        binary->getLHS()->refersToBitField())
      accesses_.addBoth(binary, binary->getLHS());
    else
      accesses_.addStore(binary, binary->getLHS());
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *construct) {
    launchReader_.noteCall(construct, function_);
    accesses_.addConstruction(construct);
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
              llvm::dyn_cast<clang::ImplicitCastExpr>(cast->getSubExpr());
          inner && lines_.has(inner->getExprLoc()))
        operations_.addCast(placeOf(inner->getExprLoc()));
    return true;
  }
  bool VisitCallExpr(clang::CallExpr *call) {
    addOperation(call);
    launchReader_.noteCall(call, function_);
    kokkosReader_.noteCall(call, function_);
    accesses_.addCall(call);
    launches_.noteCall(call, function_);
    if (auto *op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
        op && isSubscript(*op))
      noteLayout(op->getArg(0)->getType());
    return true;
  }
  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr *launch) {
    launches_.noteLaunch(launch, function_);
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

  void addOperation(const clang::Expr *expression) {
    if (lines_.has(expression->getExprLoc()))
      operations_.add(placeOf(expression->getExprLoc()), expression);
  }

  void noteLayout(clang::QualType array) {
    const clang::CXXRecordDecl *record =
        array.isNull() ? nullptr : array->getAsCXXRecordDecl();
    if (record && !hasLayouts_)
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
              launches_.hasMain()}))
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

  void readLaunches() {
    for (WrittenLaunches::Evaluated &each : launches_.read(launchReader_))
      keep(each.expression, std::move(each.launch));
    facts_.neverLaunched = launches_.neverLaunched();
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

  clang::CompilerInstance &instance_;
  clang::ASTContext &context_;
  const Emitted &emitted_;
  SourceFacts facts_;
  LaunchReader launchReader_;
  WrittenLaunches launches_;
  bool hasLayouts_ = false; ///< an array with one has an index
  std::vector<const clang::FunctionDecl *> functions_; ///< with bodies
  KokkosReader kokkosReader_;
  HostLoops hostLoops_;
  /// By SourceFacts::launches; null for a dispatch that was not seen.
  std::vector<const clang::Expr *> launchedBy_;
  const clang::FunctionDecl *function_ = nullptr; ///< being traversed
  EmittedLines lines_;
  WrittenAccesses accesses_;
  WrittenOperations operations_;
  /// Captured variables that bound loops, by the loop's place.
  std::vector<std::pair<Place, const clang::VarDecl *>> captured_;
  llvm::DenseMap<clang::FileID, bool> libraryFiles_;
};

} // namespace

SourceFacts readFacts(ParsedSource &source, const Emitted &emitted) {
  return FactReader(source, emitted).read(source);
}

} // namespace warplint
