// Turns generated device IR into IR that can be read: everything inlined,
// locals in registers, and still one instruction for each access in the source.
#pragma once
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include <functional>
#include <memory>

namespace warplint {

/// Returns the NVPTX target, which knows address spaces and divergence.
std::unique_ptr<llvm::TargetMachine> deviceTarget(const llvm::Module &module);

bool isKernel(const llvm::Function &function);

/// Afterwards, a remaining call to a function with a body is recursion. A
/// pointer passed to a noinline function is the operand of a call to
/// `passedMarker`, whose debug location is in that function.
///
/// `watch` is called with each kernel before each pass that changes it.
void normalise(llvm::Module &module, llvm::TargetMachine &target,
               std::function<void(llvm::Function &)> watch = nullptr);

/// The second half of `normalise`: promotes locals to registers, folds
/// constants, simplifies control flow. Run it again when a value has become
/// constant.
void simplify(llvm::Module &module, llvm::TargetMachine &target,
              std::function<void(llvm::Function &)> watch = nullptr);

constexpr const char *passedMarker = "warplint.passed";
/// Named metadata: the subprograms of noinline functions.
constexpr const char *calledFunctions = "warplint.called";

} // namespace warplint
