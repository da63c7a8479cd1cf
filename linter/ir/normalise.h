// Turns generated device IR into IR that can be read: everything inlined,
// locals in registers, and still one instruction for each access in the source.
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Target/TargetMachine.h"
#include <functional>
#include <memory>

namespace warplint {

/// Returns the NVPTX target, which knows address spaces and divergence.
std::unique_ptr<llvm::TargetMachine> deviceTarget(const llvm::Module &module);

bool isKernel(const llvm::Function &function);

/// Normalises one kernel after another and calls `use` with each. If `use`
/// drops the body, no more than one kernel's inlined code is in memory: that of
/// all kernels of a template library takes gigabytes.
///
/// Afterwards, a remaining call to a function with a body is recursion. A
/// pointer passed to a noinline function is the operand of a call to
/// `passedMarker`, whose debug location is in that function.
///
/// `watch` is called with each kernel before each pass that changes it.
void normaliseEach(llvm::Module &module, llvm::TargetMachine &target,
                   llvm::function_ref<void(llvm::Function &)> use,
                   const std::function<void(llvm::Function &)> &watch = {});

/// The same for all kernels; afterwards, the functions that they called are
/// gone.
void normalise(llvm::Module &module, llvm::TargetMachine &target,
               const std::function<void(llvm::Function &)> &watch = {});

/// The second half of `normalise`: promotes locals to registers, folds
/// constants, simplifies control flow. Run it again when a value has become
/// constant.
void simplify(llvm::Function &function,
              llvm::FunctionAnalysisManager &analyses);

constexpr const char *passedMarker = "warplint.passed";
/// Named metadata: the subprograms of noinline functions.
constexpr const char *calledFunctions = "warplint.called";

} // namespace warplint
