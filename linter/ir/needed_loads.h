// Finds the loads that the compiler has to make each time the source makes
// them: a value that this thread has loaded or stored before is still in a
// register, unless something in between may have changed it.
#pragma once
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace warplint {

/// Marks the loads of the normalised `module` that LLVM's optimiser hoists out
/// of their loop or removes (metadata below). Runs the passes that cicc, itself
/// an LLVM, uses for this on a clone: CSE, LICM, GVN with load PRE. The module
/// is unchanged otherwise; kernels of more than some ten thousand instructions
/// get no marks.
void markNeededLoads(llvm::Module &module, llvm::TargetMachine &target);

constexpr const char *loadHoisted = "warplint.hoisted";
constexpr const char *loadRemoved = "warplint.removed";

} // namespace warplint
