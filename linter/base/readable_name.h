// A mangled kernel name to a name for display.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warplint {

/// "ns::k<float, 4>": without return type, parameters and unnamed namespaces. A
/// lambda is "run(float*)::lambda#2", the second one in its function; the
/// source's reader names its place instead where it knows it. Returns a name
/// that is not mangled as it is.
std::string readableKernelName(llvm::StringRef mangled);

/// "tile" of `_ZZ6kernelPfE4tile`, a variable of a function.
std::string readableVariableName(llvm::StringRef mangled);

/// Shortens a name that Clang printed or `readableKernelName` returned: a
/// lambda gets its file and line, "launch<lambda at a.cu:12>", and a kernel of
/// Kokkos the name of its dispatch, "parallel_for(lambda at a.cpp:12)".
std::string shortKernelName(llvm::StringRef name);

/// Replaces the characters of a name that Clang printed by their numbers, as
/// nvcc's tools show them: "k<8>" of "k<'\b'>", whose argument is a uint8_t.
std::string withNumericCharacters(llvm::StringRef name);

/// Replaces template arguments by "..." until a name has at most `most`
/// characters, those of enclosing classes and of arguments first:
/// "parallel_for(Spmv<...>::Functor<true, false>)". Some names are still longer
/// then.
std::string abbreviatedName(llvm::StringRef name, size_t most);

/// For each of several names, the first template argument that tells them
/// apart: "float" and "double" of "k<float>" and "k<double>"; else all words
/// between the beginning and the end that they share, cut if they are long.
/// Empty where all are equal.
std::vector<std::string> differingParts(const std::vector<std::string> &names);

} // namespace warplint
