#include "source/host_calls.h"
#include "source/kept_addresses.h"
#include "source/shape_evaluator.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"

namespace warplint {

const LaunchReader::ChangedParts &
LaunchReader::changedIn(const clang::Stmt *statement) {
  auto [known, isNew] = changedParts_.try_emplace(statement);
  if (!isNew)
    return *known->second;
  known->second = std::make_unique<ChangedParts>();
  ChangedParts &parts = *known->second;
  addChanges(statement, parts);
  return parts;
}

void LaunchReader::add(const HostObject *object, const MemberPath &part,
                       ChangedParts &into) {
  llvm::SmallVector<MemberPath, 1> &known = into[object];
  if (!llvm::is_contained(known, part))
    known.push_back(part);
}

bool LaunchReader::holds(const ChangedParts &parts, const HostObject *object,
                         const MemberPath &path) {
  const auto known = parts.find(object);
  return known != parts.end() &&
         llvm::any_of(known->second, [&](const MemberPath &part) {
           return overlap(part, path);
         });
}

bool LaunchReader::mayChangeBehind(const clang::VarDecl *name) const {
  if (changing_.contains(name) ||
      (name->getType()->isPointerType() && handedOn_.lookup(name) > 0))
    return true;
  const auto kept = kept_.find(name);
  return kept != kept_.end() &&
         llvm::any_of(kept->second, [&](const Kept &each) {
           return !each.name || mayChangeBehind(each.name);
         });
}

bool LaunchReader::isKept(const HostObject *object,
                          const MemberPath &path) const {
  const auto kept = kept_.find(object);
  return kept != kept_.end() &&
         llvm::any_of(kept->second, [&](const Kept &each) {
           return overlap(each.part, path) &&
                  (!each.isTarget || !path.empty()) &&
                  (!each.name || mayChangeBehind(each.name));
         });
}

/// Returns true for a variable that code of any function may change.
static bool isOfAllCode(const HostObject *object) {
  auto *variable = llvm::dyn_cast_or_null<clang::VarDecl>(object);
  return variable && variable->hasGlobalStorage() &&
         !variable->getType().isConstQualified();
}

bool LaunchReader::mayChange(const clang::Stmt *statement,
                             const HostObject *object, const MemberPath &path) {
  if (!statement)
    return false;
  const ChangedParts &parts = changedIn(statement);
  return holds(parts, object, path) ||
         (isOfAllCode(object) && parts.contains(nullptr));
}

/// Adds the global variables that a called function changes: those of all code
/// where nobody sees what it does.
void LaunchReader::addGlobalChanges(const clang::Expr *call,
                                    ChangedParts &into) {
  if (llvm::isa<clang::CUDAKernelCallExpr>(call))
    return;
  const std::optional<Entered> entered = enteredBy(call);
  if (!entered || isInLibrary(*entered->function)) {
    const clang::FunctionDecl *callee = partsOf(call).function;
    auto *operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
    // A library calls what it is given: a std::function.
    const bool isKnown =
        callee &&
        (isRuntimeFunction(*callee) || isInLibrary(*callee) ||
         callee->getBuiltinID() || callee->isImplicit()) &&
        !(operation && operation->getOperator() == clang::OO_Call);
    if (!isKnown && llvm::isa<clang::CallExpr>(call))
      into[nullptr] = {MemberPath()};
    return;
  }
  const ChangedParts &inside = changedIn(entered->function->getBody());
  if (&inside == &into) // it calls itself
    return;
  for (const auto &[object, parts] : inside)
    if (!object || isOfAllCode(object))
      for (const MemberPath &path : parts)
        add(object, path, into);
}

void LaunchReader::addChanges(const clang::Stmt *statement,
                              ChangedParts &into) {
  if (!statement)
    return;
  if (auto known = changedParts_.find(statement);
      known != changedParts_.end() && known->second.get() != &into) {
    for (const auto &[object, parts] : *known->second)
      for (const MemberPath &path : parts)
        add(object, path, into);
    return;
  }
  changesOf(statement, [&](const Change &change) {
    if (!change.inCallee)
      return add(change.object, change.path, into);
    const auto entered = enteredBy(llvm::cast<clang::Expr>(statement));
    const ChangedParts &inside = changedIn(entered->function->getBody());
    auto changed = inside.find(change.inCallee);
    if (changed == inside.end())
      return;
    // A function that calls itself adds to the parts that it goes through.
    const llvm::SmallVector<MemberPath, 1> parts = changed->second;
    for (const MemberPath &part : parts) {
      MemberPath path = change.path;
      path.append(part.begin(), part.end());
      add(change.object, path, into);
    }
  });
  if (llvm::isa<clang::CallExpr, clang::CXXConstructExpr>(statement))
    addGlobalChanges(llvm::cast<clang::Expr>(statement), into);
  for (const clang::Stmt *child : statement->children())
    addChanges(child, into);
}

bool ShapeEvaluator::isNameOfChanged(const clang::VarDecl *variable,
                                     const MemberPath &path) const {
  if (!variable || llvm::isa<clang::ParmVarDecl>(variable) ||
      !variable->getInit() || variable->getInit()->isValueDependent())
    return false;
  const clang::QualType type = variable->getType();
  const bool isName =
      type->isReferenceType() || (type->isPointerType() && !path.empty());
  const clang::SourceManager &sources = reader_.context_.getSourceManager();
  bool isChanged = false;
  if (isName)
    rootsOf(variable->getInit(), [&](const HostObject *root, auto...) {
      auto *of = llvm::dyn_cast<clang::VarDecl>(root);
      if (!of || of == variable)
        return;
      // A local one has all that was set before from there on.
      isChanged |= llvm::any_of(
          reader_.changing_.lookup(of), [&](const LaunchReader::Statement &by) {
            return !of->hasLocalStorage() ||
                   !sources.isBeforeInTranslationUnit(by.statement->getEndLoc(),
                                                      variable->getLocation());
          });
    });
  return isChanged;
}

bool ShapeEvaluator::mayJumpTo(const clang::Stmt *use, const HostObject *object,
                               const MemberPath &path) {
  const clang::Stmt *body = use;
  while (const clang::Stmt *parent = reader_.parents_.lookup(body))
    body = parent;
  const auto labels = reader_.labels_.find(body);
  if (labels == reader_.labels_.end())
    return false;
  auto *variable = llvm::dyn_cast<clang::VarDecl>(object);
  const bool isChanged =
      variable ? reader_.isChanged(variable) : changes(body, object, path);
  const clang::SourceManager &sources = reader_.context_.getSourceManager();
  return isChanged &&
         llvm::any_of(labels->second, [&](const clang::Stmt *label) {
           return sources.isBeforeInTranslationUnit(label->getBeginLoc(),
                                                    use->getEndLoc());
         });
}

} // namespace warplint
