// Recognises the calls of the host that wait for the device or its driver.
#pragma once
#include "model/model.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include <optional>

namespace warplint {

/// Kind, name and object of such a call; its places are empty. None for calls
/// that return at once, for copies within the device, and for the copy of a
/// number to the host, which may have to wait for it.
std::optional<HostCall> hostCallOf(const clang::CallExpr &call,
                                   clang::ASTContext &context);

/// The same for a constructor that allocates: of a Kokkos::View with a label,
/// of a thrust::device_vector with a size. `variable`: what is constructed.
std::optional<HostCall> hostCallOf(const clang::CXXConstructExpr &construct,
                                   llvm::StringRef variable);

/// Returns true for a function of the CUDA runtime or driver.
bool isRuntimeFunction(const clang::FunctionDecl &function);

/// Returns true for a copy between host and device that returns at once: what
/// waits for the device may wait for it.
bool copiesLater(const clang::CallExpr &call);

/// The memory of the host that a copy to or from it names; null for others.
const clang::Expr *hostSideOf(const clang::CallExpr &call);

/// Returns true for an element of a Kokkos::View.
bool readsView(const clang::CallExpr &call);

/// Returns true if a call takes the time.
bool takesTime(const clang::FunctionDecl &function);

} // namespace warplint
