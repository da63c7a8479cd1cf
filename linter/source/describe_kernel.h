// Names a kernel as the user and as the linker know it, and reads the bounds
// that its declaration gives.
#pragma once
#include "model/model.h"
#include "source/emit.h"

namespace warplint {

/// The mangled name of a kernel, which need not be in the IR.
std::string mangledName(const clang::FunctionDecl &kernel);

/// Sets name, place and launch bounds of a kernel that was read from its IR.
void describeKernel(ParsedSource &source, const clang::FunctionDecl &function,
                    Kernel &kernel);

} // namespace warplint
