// Which loads the compiler really has to make each time the source says so:
// a value that this thread has loaded or stored before is still in a register,
// unless something in between may have changed it.
#pragma once
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace warplint {

/// Marks the loads of `module`, which was normalised, that LLVM's own optimiser
/// moves out of their loop or does without (the metadata below). It is asked on
/// a clone, with the passes that cicc, an LLVM itself, has for this: CSE, LICM,
/// GVN with load PRE. The module stays as it is, and so does a kernel of more
/// than some ten thousand instructions.
void markNeededLoads(llvm::Module &module, llvm::TargetMachine &target);

constexpr const char *loadHoisted = "warplint.hoisted";
constexpr const char *loadRemoved = "warplint.removed";

} // namespace warplint
