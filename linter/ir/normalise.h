// Device IR as it was generated to device IR that can be read: everything
// inlined, locals in registers, and still one instruction per source access.
#pragma once
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include <functional>
#include <memory>

namespace warplint {

/// The NVPTX target, which knows about address spaces and divergence.
std::unique_ptr<llvm::TargetMachine> deviceTarget(const llvm::Module &module);

bool isKernel(const llvm::Function &function);

/// After this, a call that is left to a function with a body is recursion. A
/// pointer that went into a function which the programmer keeps from being
/// inlined is still the operand of a call to `passedMarker`, whose debug
/// location is in that function.
///
/// `watch` sees each kernel before each of the passes that change it.
void normalise(llvm::Module &module, llvm::TargetMachine &target,
               std::function<void(llvm::Function &)> watch = nullptr);

/// The second half of it: locals to registers, constants folded, control flow
/// tidied. To be run again when something has become constant.
void simplify(llvm::Module &module, llvm::TargetMachine &target,
              std::function<void(llvm::Function &)> watch = nullptr);

constexpr const char *passedMarker = "warplint.passed";

} // namespace warplint
