// A mangled kernel name to what a person calls that kernel.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>

namespace warplint {

/// "ns::k<float, 4>": without return type, parameters and unnamed namespaces. A
/// lambda has no name; it is "run(float*)::lambda#2", the second in its
/// function, and where its place is known the source's reader names that
/// instead. What is not mangled is its own name.
std::string readableKernelName(llvm::StringRef mangled);

/// The same of a name that Clang printed or this header made: lambdas by file
/// and line, "launch<lambda at a.cu:12>", and of a kernel of Kokkos what was
/// dispatched: "parallel_for(lambda at a.cpp:12)".
std::string shortKernelName(llvm::StringRef name);

} // namespace warplint
