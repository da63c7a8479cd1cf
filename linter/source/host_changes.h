// What statements of host code change in variables.
#pragma once
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace warplint {

/// What host code changes: a variable, or the class whose object `this` points
/// to. A pointer stands for what it points to.
using HostObject = clang::NamedDecl;

/// The members that lead to a part of an object: `.blockDim.x`.
using MemberPath = llvm::SmallVector<const clang::FieldDecl *, 3>;

/// Returns true if one of two parts of an object is a part of the other, or
/// shares its memory in a union.
bool overlap(const MemberPath &a, const MemberPath &b);

/// A call that was entered: of a function, or of a constructor.
struct Entered {
  const clang::FunctionDecl *function = nullptr; ///< with its body
  const clang::Expr *call = nullptr;
  llvm::ArrayRef<const clang::Expr *> arguments = {}; ///< without the object
  const clang::Expr *object = nullptr;                ///< of a method
  bool operator==(const Entered &other) const { return call == other.call; }
};

/// A change to an object by a statement itself, without its substatements.
struct Change {
  const HostObject *object = nullptr;
  MemberPath path;
  const clang::Expr *value = nullptr; ///< null: something unknown
  std::optional<uint64_t> number;     ///< in place of `value`
  std::optional<clang::BinaryOperatorKind>
      with; ///< applied to the previous value
  const clang::Stmt *at = nullptr;
  /// The object in the function that may change it, which has a body; null if
  /// the statement itself is the change.
  const HostObject *inCallee = nullptr;
  /// The calls around `value`, outermost first.
  llvm::SmallVector<Entered, 1> through = {};
};

/// The parts of a call, without the body.
Entered partsOf(const clang::Expr *call);

/// What a call enters; none if the body is unknown, or the run chooses it.
std::optional<Entered> enteredBy(const clang::Expr *call);

/// Returns true for a function of a library, which nobody reads.
bool isInLibrary(const clang::FunctionDecl &function);

/// Visits the changes that a statement makes, without its substatements; what a
/// call may change has no value.
void changesOf(const clang::Stmt *statement,
               llvm::function_ref<void(const Change &)> visit);

/// `b` of the statement or expression `a = b`; null for others.
const clang::Expr *assignedBy(const clang::Stmt *statement);

/// Returns true for std::pair.
bool isPair(const clang::CXXRecordDecl *record);

/// The object and the part of it that an lvalue denotes, or that a pointer
/// points to; null if there is none.
const HostObject *placeOf(const clang::Expr *expression, MemberPath &path);

/// The object that an expression is, is part of or points into; null if there
/// is none.
const HostObject *rootObject(const clang::Expr *expression);

/// The expression without casts, temporaries and defaults around it.
const clang::Expr *stripped(const clang::Expr *expression);

} // namespace warplint
