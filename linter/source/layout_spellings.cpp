#include "source/layout_spellings.h"
#include "source/member_type.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

namespace warplint {

namespace {

/// Strips casts, temporaries and copies of a class.
const clang::Expr *strip(const clang::Expr *expression) {
  for (;;) {
    const clang::Expr *inner = expression->IgnoreParenImpCasts();
    if (auto *temporary =
            llvm::dyn_cast<clang::MaterializeTemporaryExpr>(inner))
      inner = temporary->getSubExpr();
    else if (auto *bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(inner))
      inner = bound->getSubExpr();
    else if (auto *cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(inner))
      inner = cleanups->getSubExpr();
    else if (auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(inner);
             construct && construct->getNumArgs() &&
             construct->getConstructor()->isCopyOrMoveConstructor())
      inner = construct->getArg(0);
    if (inner == expression)
      return inner;
    expression = inner;
  }
}

const clang::CXXRecordDecl *classOf(clang::QualType type) {
  return type.isNull() ? nullptr
                       : type.getNonReferenceType()->getAsCXXRecordDecl();
}

bool isKokkosView(const clang::CXXRecordDecl &record) {
  return record.getQualifiedNameAsString() == "Kokkos::View";
}

/// The written type of an array, or what gives it its type.
struct Spelling {
  clang::TemplateSpecializationTypeLoc written; ///< null if it follows another
  bool isFollowed = false; ///< `auto`, a template's parameter
};

/// The variable or member that an expression names; null for any other.
const clang::DeclaratorDecl *namedBy(const clang::Stmt *statement) {
  if (auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(statement))
    return llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
  if (auto *member = llvm::dyn_cast<clang::MemberExpr>(statement))
    return llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
  return nullptr;
}

/// The types of Views, by what declares them.
class Spellings {
public:
  explicit Spellings(const SpellingContext &context) : context_(context) {}

  void read(const clang::FunctionDecl &function);
  std::map<Place, LayoutSpelling> take();

private:
  LayoutSpelling spellingOfAll(const clang::DeclaratorDecl *view);
  using Decl = const clang::DeclaratorDecl *;

  bool isView(clang::QualType type);
  Decl viewOf(const clang::Expr *expression);
  void add(Decl view);
  void unite(Decl a, Decl b);
  void lose(Decl view);
  void loseWithin(Decl holder, clang::TypeLoc type);
  void addWritten(Decl view, const clang::TypeSourceInfo *type);
  Spelling spellingOf(clang::TypeLoc type);
  bool isOnlyHere(const clang::Decl &decl) const;
  std::optional<Place> placeIn(const Spelling &spelling);

  void visit(const clang::Stmt *statement);
  void visitArguments(llvm::ArrayRef<const clang::Expr *> arguments) {
    for (const clang::Expr *argument : arguments)
      visit(argument);
  }
  void declare(const clang::VarDecl &variable);
  void initialise(Decl view, const clang::Expr *value);
  void pass(const clang::FunctionDecl *callee,
            llvm::ArrayRef<const clang::Expr *> arguments);
  bool visitOperator(const clang::CXXOperatorCallExpr &call);
  bool visitMethod(const clang::CXXMemberCallExpr &call);
  void visitCall(const clang::CallExpr &call);
  bool visitLibraryCall(const clang::CallExpr &call,
                        const clang::FunctionDecl &callee);
  void visitConstruct(const clang::CXXConstructExpr &construct);
  void visitList(const clang::InitListExpr &list);
  void visitLambda(const clang::LambdaExpr &lambda);

  const SpellingContext &context_;
  llvm::DenseMap<const clang::CXXRecordDecl *, bool> views_;
  llvm::EquivalenceClasses<Decl> groups_;
  std::set<Decl> added_, lost_, holders_;
  std::map<Decl, std::set<Place>> places_;
  std::map<Place, Decl> firstAt_; ///< of the Views whose type a place writes
  std::map<Place, Decl> accesses_;
  std::map<Decl, std::string> other_; ///< "Kokkos::LayoutLeft"
};

bool Spellings::isView(clang::QualType type) {
  const clang::CXXRecordDecl *record = classOf(type);
  if (!record)
    return false;
  auto [known, isNew] = views_.try_emplace(record, false);
  if (isNew && llvm::isa<clang::ClassTemplateSpecializationDecl>(record))
    known->second = !layoutNameOf(*record).empty();
  return views_.lookup(record);
}

/// The View that an expression names; null for any other.
Spellings::Decl Spellings::viewOf(const clang::Expr *expression) {
  expression = strip(expression);
  if (!isView(expression->getType()))
    return nullptr;
  const Decl view = namedBy(expression);
  if (view)
    add(view);
  return view;
}

/// Returns true if no other source can have a declaration of it.
bool Spellings::isOnlyHere(const clang::Decl &decl) const {
  const clang::SourceManager &sources = context_.context.getSourceManager();
  auto *named = llvm::dyn_cast<clang::NamedDecl>(&decl);
  const bool isHere =
      llvm::all_of(decl.redecls(), [&](const clang::Decl *each) {
        return sources.isInMainFile(
            sources.getExpansionLoc(each->getLocation()));
      });
  return isHere &&
         (context_.hasMain || !named || !named->isExternallyVisible());
}

void Spellings::add(Decl view) {
  if (!added_.insert(view).second)
    return;
  groups_.insert(view);
  auto *variable = llvm::dyn_cast<clang::VarDecl>(view);
  const clang::DeclContext *around = view->getDeclContext();
  // A parameter is part of its function's name.
  if (auto *parameter = llvm::dyn_cast_or_null<clang::ParmVarDecl>(variable)) {
    auto *function = llvm::dyn_cast<clang::FunctionDecl>(around);
    const bool isTemplate =
        function && function->getTemplateInstantiationPattern();
    auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
    const bool isLambda = method && method->getParent()->isLambda();
    if (!function || (!isTemplate && !isLambda && !isOnlyHere(*function)) ||
        (method && method->isVirtual()))
      lose(view);
    if (function)
      for (const clang::FunctionDecl *other : function->redecls())
        if (parameter->getFunctionScopeIndex() < other->getNumParams())
          addWritten(view,
                     other->getParamDecl(parameter->getFunctionScopeIndex())
                         ->getTypeSourceInfo());
    return;
  }
  if (variable && variable->hasGlobalStorage() && !isOnlyHere(*variable))
    lose(view);
  // The arguments of a class template are written where it is used.
  if (llvm::isa<clang::ClassTemplateSpecializationDecl>(around) &&
      llvm::isa<clang::FieldDecl>(view) && view->getTypeSourceInfo() &&
      spellingOf(view->getTypeSourceInfo()->getTypeLoc()).isFollowed)
    lose(view);
  addWritten(view, view->getTypeSourceInfo());
}

/// Gives up the Views in an array, a container or a pointer: their accesses are
/// not told apart.
void Spellings::loseWithin(Decl holder, clang::TypeLoc type) {
  constexpr unsigned deepest = 16;
  for (unsigned i = 0; i < deepest && !type.isNull(); ++i) {
    type = type.getUnqualifiedLoc();
    if (isView(type.getType())) {
      groups_.insert(holder);
      lose(holder);
      if (const std::optional<Place> place = placeIn(spellingOf(type)))
        if (auto [first, isNew] = firstAt_.try_emplace(*place, holder); !isNew)
          groups_.unionSets(first->second, holder);
      return;
    }
    if (auto alias = type.getAs<clang::TypedefTypeLoc>();
        alias && !context_.inLibrary(alias.getDecl()->getLocation())) {
      type = alias.getDecl()->getTypeSourceInfo()->getTypeLoc();
    } else if (auto written =
                   type.getAs<clang::TemplateSpecializationTypeLoc>()) {
      for (unsigned k = 0; k < written.getNumArgs(); ++k)
        if (auto *argument = written.getArgLoc(k).getArgument().getKind() ==
                                     clang::TemplateArgument::Type
                                 ? written.getArgLoc(k).getTypeSourceInfo()
                                 : nullptr)
          loseWithin(holder, argument->getTypeLoc());
      return;
    } else {
      type = type.getNextTypeLoc();
    }
  }
}

void Spellings::unite(Decl a, Decl b) {
  add(a);
  add(b);
  groups_.unionSets(a, b);
}

void Spellings::lose(Decl view) { lost_.insert(view); }

void Spellings::addWritten(Decl view, const clang::TypeSourceInfo *type) {
  const Spelling spelling = type ? spellingOf(type->getTypeLoc()) : Spelling();
  if (spelling.isFollowed)
    return;
  const std::optional<Place> place = placeIn(spelling);
  if (!place)
    return lose(view);
  places_[view].insert(*place);
  if (auto [first, isNew] = firstAt_.try_emplace(*place, view); !isNew)
    groups_.unionSets(first->second, view);
  if (other_.count(view))
    return;
  const clang::CXXRecordDecl *record = classOf(type->getType());
  const auto *space = llvm::dyn_cast<clang::NamespaceDecl>(
      (isKokkosView(*record) ? record : layoutOf(*record))
          ->getDeclContext()
          ->getRedeclContext());
  other_[view] = (space ? space->getQualifiedNameAsString() + "::" : "") +
                 otherLayout(layoutNameOf(*record));
}

/// Follows aliases to the class template's arguments.
Spelling Spellings::spellingOf(clang::TypeLoc type) {
  constexpr unsigned deepest = 16;
  for (unsigned i = 0; i < deepest && !type.isNull(); ++i) {
    type = type.getUnqualifiedLoc();
    if (auto reference = type.getAs<clang::ReferenceTypeLoc>()) {
      type = reference.getPointeeLoc();
    } else if (auto alias = type.getAs<clang::TypedefTypeLoc>()) {
      const clang::TypedefNameDecl *decl = alias.getDecl();
      // `View::HostMirror` follows the View.
      if (context_.inLibrary(decl->getLocation()))
        type = alias.getQualifierLoc() ? alias.getQualifierLoc().getAsTypeLoc()
                                       : clang::TypeLoc();
      else
        type = decl->getTypeSourceInfo()->getTypeLoc();
    } else if (auto written =
                   type.getAs<clang::TemplateSpecializationTypeLoc>()) {
      return {written, false};
    } else {
      return {{},
              type.getAs<clang::AutoTypeLoc>() ||
                  type.getAs<clang::DecltypeTypeLoc>() ||
                  type.getAs<clang::SubstTemplateTypeParmTypeLoc>()};
    }
  }
  return {};
}

/// The place of the first template argument, if the layout among them can be
/// changed there, or inserted behind the first one.
std::optional<Place> Spellings::placeIn(const Spelling &spelling) {
  const clang::TemplateSpecializationTypeLoc &written = spelling.written;
  if (written.isNull() || !written.getNumArgs())
    return std::nullopt;
  const clang::SourceManager &sources = context_.context.getSourceManager();
  const clang::SourceLocation begin =
      written.getArgLoc(0).getSourceRange().getBegin();
  if (begin.isMacroID() || written.getRAngleLoc().isMacroID() ||
      !sources.isInMainFile(begin) || !isView(written.getType()))
    return std::nullopt;
  const std::string name = layoutNameOf(*classOf(written.getType()));
  bool isWritten = false;
  for (unsigned i = 0; i < written.getNumArgs(); ++i) {
    const clang::TemplateArgumentLoc argument = written.getArgLoc(i);
    const clang::CXXRecordDecl *layout =
        argument.getArgument().getKind() == clang::TemplateArgument::Type
            ? classOf(argument.getArgument().getAsType())
            : nullptr;
    if (!layout || !layout->getIdentifier() || layout->getName() != name)
      continue;
    // By its own name, not by an alias that others may use.
    isWritten = true;
    if (!argument.getTypeSourceInfo() ||
        !argument.getTypeSourceInfo()->getTypeLoc().getAs<clang::TagTypeLoc>())
      return std::nullopt;
  }
  return isWritten || isKokkosView(*classOf(written.getType()))
             ? std::optional(context_.placeOf(begin))
             : std::nullopt;
}

void Spellings::initialise(Decl view, const clang::Expr *value) {
  value = strip(value);
  if (Decl from = viewOf(value))
    return unite(view, from);
  if (auto *call = llvm::dyn_cast<clang::CallExpr>(value)) {
    // A mirror has the layout of what it mirrors.
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (callee && callee->getIdentifier() &&
        callee->getName().starts_with("create_mirror") &&
        context_.inLibrary(callee->getLocation())) {
      for (const clang::Expr *argument : call->arguments())
        if (Decl from = viewOf(argument))
          unite(view, from);
        else
          visit(argument);
      return;
    }
    lose(view);
    return visit(value);
  }
  auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(value);
  if (!construct) {
    lose(view);
    return visit(value);
  }
  if (auto *temporary =
          llvm::dyn_cast<clang::CXXTemporaryObjectExpr>(construct))
    addWritten(view, temporary->getTypeSourceInfo());
  for (const clang::Expr *argument : construct->arguments()) {
    const clang::Expr *plain = strip(argument);
    if (Decl from = viewOf(plain)) {
      unite(view, from);
      continue;
    }
    // Memory of others has an order of its own, and a label is no memory.
    const bool isLabel = llvm::isa<clang::StringLiteral>(plain);
    const clang::CXXRecordDecl *given = classOf(plain->getType());
    if ((!isLabel && plain->getType()->isPointerType()) ||
        (given && given == layoutOf(*classOf(view->getType()))))
      lose(view);
    visit(plain);
  }
}

void Spellings::declare(const clang::VarDecl &variable) {
  if (!isView(variable.getType())) {
    if (variable.hasInit())
      visit(variable.getInit());
    return;
  }
  add(&variable);
  if (variable.hasInit())
    initialise(&variable, variable.getInit());
}

/// What is passed on has the type of the parameter.
void Spellings::pass(const clang::FunctionDecl *callee,
                     llvm::ArrayRef<const clang::Expr *> arguments) {
  const bool isKnown = callee && !context_.inLibrary(callee->getLocation());
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    const Decl view = viewOf(argument);
    if (!view)
      visit(argument);
    else if (isKnown && i < callee->getNumParams() &&
             isView(callee->getParamDecl(i)->getType()))
      unite(view, callee->getParamDecl(i));
    else
      lose(view);
  }
}

bool Spellings::visitOperator(const clang::CXXOperatorCallExpr &call) {
  const Decl view = call.getNumArgs() ? viewOf(call.getArg(0)) : nullptr;
  if (!view)
    return false;
  const llvm::ArrayRef<const clang::Expr *> arguments(call.getArgs(),
                                                      call.getNumArgs());
  switch (call.getOperator()) {
  case clang::OO_Call:
  case clang::OO_Subscript:
    accesses_[context_.placeOf(call.getExprLoc())] = view;
    if (!llvm::all_of(arguments.drop_front(), [](const clang::Expr *index) {
          return index->getType()->isIntegralOrEnumerationType();
        }))
      lose(view);
    visitArguments(arguments.drop_front());
    return true;
  case clang::OO_Equal:
    initialise(view, arguments[1]);
    return true;
  default:
    return false;
  }
}

/// Methods that say nothing of the order of the elements.
bool Spellings::visitMethod(const clang::CXXMemberCallExpr &call) {
  const clang::Expr *object = call.getImplicitObjectArgument();
  const Decl view = object ? viewOf(object) : nullptr;
  if (!view)
    return false;
  const clang::CXXMethodDecl *method = call.getMethodDecl();
  if (!method || !method->getIdentifier() ||
      !llvm::is_contained({"extent", "extent_int", "size", "label", "rank",
                           "is_allocated", "use_count"},
                          method->getName()))
    lose(view);
  visitArguments({call.getArgs(), call.getNumArgs()});
  return true;
}

/// A fill and another size have no order, and a copy none if both Views change.
bool Spellings::visitLibraryCall(const clang::CallExpr &call,
                                 const clang::FunctionDecl &callee) {
  if (!callee.getIdentifier() ||
      !llvm::is_contained({"deep_copy", "resize", "realloc"}, callee.getName()))
    return false;
  Decl first = nullptr;
  bool areAllNamed = true;
  for (const clang::Expr *argument : call.arguments())
    if (Decl view = viewOf(argument)) {
      if (first)
        unite(first, view);
      first = view;
    } else {
      areAllNamed &= !isView(argument->getType());
      visit(argument);
    }
  if (first && !areAllNamed)
    lose(first);
  return true;
}

void Spellings::visitCall(const clang::CallExpr &call) {
  if (auto *called = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call))
    if (visitOperator(*called))
      return;
  if (auto *called = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call)) {
    if (visitMethod(*called))
      return;
    visit(called->getCallee());
  }
  const clang::FunctionDecl *callee = call.getDirectCallee();
  if (callee && context_.inLibrary(callee->getLocation()) &&
      visitLibraryCall(call, *callee))
    return;
  if (auto *launch = llvm::dyn_cast<clang::CUDAKernelCallExpr>(&call))
    visit(launch->getConfig());
  llvm::ArrayRef<const clang::Expr *> arguments(call.getArgs(),
                                                call.getNumArgs());
  // The object of an operator that is a method.
  if (llvm::isa<clang::CXXOperatorCallExpr>(call) &&
      llvm::isa_and_nonnull<clang::CXXMethodDecl>(callee)) {
    visit(arguments.front());
    arguments = arguments.drop_front();
  }
  pass(callee, arguments);
}

void Spellings::visitConstruct(const clang::CXXConstructExpr &construct) {
  pass(construct.getConstructor(),
       {construct.getArgs(), construct.getNumArgs()});
}

void Spellings::visitList(const clang::InitListExpr &list) {
  const auto *record = classOf(list.getType());
  const bool isPlain = record && !record->getNumBases() && !record->isUnion();
  std::vector<const clang::FieldDecl *> fields;
  if (isPlain)
    llvm::append_range(fields, record->fields());
  for (unsigned i = 0; i < list.getNumInits(); ++i)
    if (i < fields.size() && isView(fields[i]->getType())) {
      add(fields[i]);
      initialise(fields[i], list.getInit(i));
    } else {
      visit(list.getInit(i));
    }
}

void Spellings::visitLambda(const clang::LambdaExpr &lambda) {
  for (const clang::LambdaCapture &capture : lambda.captures())
    if (lambda.isInitCapture(&capture))
      if (auto *variable =
              llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar()))
        declare(*variable);
  // The instances of a generic lambda are functions of their own.
  if (!lambda.getDependentCallOperator())
    visit(lambda.getBody());
}

void Spellings::visit(const clang::Stmt *statement) {
  if (!statement)
    return;
  if (auto *declarations = llvm::dyn_cast<clang::DeclStmt>(statement)) {
    for (const clang::Decl *decl : declarations->decls())
      if (auto *variable = llvm::dyn_cast<clang::VarDecl>(decl))
        declare(*variable);
    return;
  }
  if (auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(statement))
    return visitLambda(*lambda);
  if (auto *list = llvm::dyn_cast<clang::InitListExpr>(statement))
    return visitList(*list);
  if (auto *expression = llvm::dyn_cast<clang::Expr>(statement))
    if (llvm::isa<clang::DeclRefExpr, clang::MemberExpr>(expression))
      if (Decl view = viewOf(expression))
        return lose(view);
  if (const Decl holder = namedBy(statement);
      holder && holders_.insert(holder).second && holder->getTypeSourceInfo())
    loseWithin(holder, holder->getTypeSourceInfo()->getTypeLoc());
  // An extent that is a member says nothing of the order.
  if (auto *member = llvm::dyn_cast<clang::MemberExpr>(statement))
    if (member->getType()->isIntegerType() && viewOf(member->getBase()))
      return;
  if (auto *call = llvm::dyn_cast<clang::CallExpr>(statement))
    return visitCall(*call);
  if (auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(statement);
      construct && !construct->getConstructor()->isCopyOrMoveConstructor())
    return visitConstruct(*construct);
  for (const clang::Stmt *child : statement->children())
    visit(child);
}

void Spellings::read(const clang::FunctionDecl &function) {
  if (auto *constructor =
          llvm::dyn_cast<clang::CXXConstructorDecl>(&function)) {
    for (const clang::CXXCtorInitializer *each : constructor->inits())
      if (each->getAnyMember() && isView(each->getAnyMember()->getType())) {
        add(each->getAnyMember());
        initialise(each->getAnyMember(), each->getInit());
      } else {
        visit(each->getInit());
      }
  }
  visit(function.getBody());
}

LayoutSpelling Spellings::spellingOfAll(Decl view) {
  LayoutSpelling spelling;
  std::set<Place> written, declared;
  std::set<std::string> others;
  bool isLost = false;
  for (Decl member : groups_.members(view)) {
    isLost |= lost_.count(member);
    declared.insert(context_.placeOf(member->getLocation()));
    written.insert(places_[member].begin(), places_[member].end());
    if (auto other = other_.find(member); other != other_.end())
      others.insert(other->second);
  }
  if (!isLost && !written.empty() && others.size() == 1)
    spelling.other = *others.begin();
  else
    written = {*declared.begin()};
  spelling.places.assign(written.begin(), written.end());
  return spelling;
}

std::map<Place, LayoutSpelling> Spellings::take() {
  std::map<Place, LayoutSpelling> result;
  for (const auto &[place, view] : accesses_)
    result[place] = spellingOfAll(view);
  return result;
}

} // namespace

std::map<Place, LayoutSpelling>
layoutSpellings(llvm::ArrayRef<const clang::FunctionDecl *> functions,
                const SpellingContext &context) {
  Spellings spellings(context);
  for (const clang::FunctionDecl *function : functions)
    spellings.read(*function);
  return spellings.take();
}

} // namespace warplint
