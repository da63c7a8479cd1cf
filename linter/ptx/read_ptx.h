// PTX text to LLVM IR, so that one reader (ir/read_ir) serves both.
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace warplint {

/// Marks, in that IR, what the device does not compute to the last bit as IR
/// says: by an approximation, rounded in another way, with denormals flushed.
constexpr const char *inexact = "warplint.inexact";

/// Translates every function of the PTX to an IR function with the same control
/// flow: registers in SSA form, memory instructions as loads, stores and
/// atomics with a debug location (`.loc`, `inlined_at`), one for one. Kernels
/// have the PTX kernel calling convention and keep their mangled names. An
/// unknown instruction becomes a call to a declared function "ptx.<opcode>"
/// with the same operands, never a guess.
///
/// Addresses are integers, cast to a pointer of the instruction's own address
/// space (shared ones often of 32 bits); local arrays are allocas with their
/// PTX name. Memory that only IR needs, for a parameter or a call's result, has
/// the metadata "ptx.param" and is no access.
///
/// An instruction without `.loc`, or with line 0, gets its line in `file`,
/// unless that is empty.
///
/// Fails where the text is no PTX, and at this thread's deadline.
llvm::Expected<std::unique_ptr<llvm::Module>>
readPtx(llvm::StringRef text, llvm::LLVMContext &context,
        llvm::StringRef file = "");

} // namespace warplint
