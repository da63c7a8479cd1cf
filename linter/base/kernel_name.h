// A mangled kernel name to a spelling that nvcc and Clang agree on.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>

namespace warplint {

/// A key to join kernels by, never to be shown in place of the name. The two
/// compilers mangle what has internal linkage differently, down to the numbers
/// of the substitutions, so the key is the demangled name without the parts
/// that name the file: `_Z4statPf` (nvcc), `__nv_static_..._Z4statPf` (nvcc
/// -rdc=true), `_ZL4statPf` (Clang) and `_ZL4statPf__intern__1f` (Clang
/// -fgpu-rdc) all give "stat(float*)". Without the architectures in the names
/// of CUB's and Thrust's namespaces, and without the class that Kokkos puts
/// around a reduction for nvcc alone. A name that is not mangled is its own
/// key.
std::string normalisedKernelName(llvm::StringRef mangled);

/// What stands before the parameters in a key: "stat" of "stat(float*)". nvcc
/// mangles an `extern "C"` kernel that is static, Clang does not, so the one's
/// key is what stands before the parameters in the other's.
llvm::StringRef functionOfKey(llvm::StringRef key);

/// Without what says which file and which of its copies a kernel is of:
/// "_Z4statPf" of `__nv_static_..._Z4statPf`.
llvm::StringRef withoutFile(llvm::StringRef mangled);
/// The same of a name that is demangled.
std::string withoutInternalNamespace(llvm::StringRef demangled);

/// The length of the template argument that a demangled text begins with.
size_t endOfTemplateArgument(llvm::StringRef text);

} // namespace warplint
