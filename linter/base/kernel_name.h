// A mangled kernel name to a spelling that nvcc and Clang agree on.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>

namespace warplint {

/// A key to join kernels by; it is not for display. nvcc and Clang mangle names
/// with internal linkage differently, down to the numbers of the substitutions,
/// so the key is the demangled name without the parts that name the file:
/// `_Z4statPf` (nvcc), `__nv_static_..._Z4statPf` (nvcc -rdc=true),
/// `_ZL4statPf` (Clang) and `_ZL4statPf__intern__1f` (Clang -fgpu-rdc) all give
/// "stat(float*)". The key also lacks the architectures in the namespaces of
/// CUB and Thrust, the class that Kokkos adds to reductions under nvcc only,
/// and the parameters of a template's instance if one of them is a member of
/// another, or there is a pack of them, and those of a template's instance
/// around a lambda. The key of a name that is not mangled is the name.
std::string normalisedKernelName(llvm::StringRef mangled);

/// The part of a key before its parameters: "stat" of "stat(float*)". nvcc
/// mangles a static `extern "C"` kernel and Clang does not, so Clang's key is
/// this part of nvcc's key.
llvm::StringRef functionOfKey(llvm::StringRef key);

/// Removes the parts that name a file or a clone: "_Z4statPf" of
/// `__nv_static_..._Z4statPf`.
llvm::StringRef withoutFile(llvm::StringRef mangled);
/// The same for a demangled name.
std::string withoutInternalNamespace(llvm::StringRef demangled);

/// The length of the template argument at the start of a demangled text.
size_t endOfTemplateArgument(llvm::StringRef text);

} // namespace warplint
