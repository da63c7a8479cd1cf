// PTX text to LLVM IR, so that one reader (ir/read_ir) serves both.
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace warplint {

/// Every function of the PTX as an IR function over the same control flow, its
/// registers in SSA form, its memory instructions as loads, stores and atomics
/// with a debug location (`.loc`, `inlined_at`), one for one. Kernels have the
/// PTX kernel calling convention and keep their mangled names. What the reader
/// does not know becomes a call to a declared function "ptx.<opcode>" of the
/// same operands, never a guess.
///
/// Addresses are integers, cast to a pointer of the instruction's own address
/// space (shared ones often of 32 bits); local arrays are allocas of their PTX
/// name. What IR has to do to memory for a parameter or a call's result alone
/// carries the metadata "ptx.param" and is no access.
///
/// What has no `.loc`, or one of line 0, gets its line in `file`, if there is
/// one to name.
llvm::Expected<std::unique_ptr<llvm::Module>>
readPtx(llvm::StringRef text, llvm::LLVMContext &context,
        llvm::StringRef file = "");

} // namespace warplint
