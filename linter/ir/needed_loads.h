// Finds the loads that the compiler has to make each time the source makes
// them: a value that this thread has loaded or stored before is still in a
// register, unless something in between may have changed it.
#pragma once
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace warplint {

/// Marks the loads of a normalised kernel that LLVM's optimiser hoists out of
/// their loop or removes (metadata below). Runs the passes that cicc, itself an
/// LLVM, uses for this on a clone: CSE, LICM, GVN with load PRE. The kernel is
/// unchanged otherwise; one of more than some ten thousand instructions gets no
/// marks.
void markNeededLoads(llvm::Function &kernel,
                     llvm::FunctionAnalysisManager &analyses);

/// Its value is loaded before its loop; one that is removed as well takes that
/// of another load.
constexpr const char *loadHoisted = "warplint.hoisted";
constexpr const char *loadRemoved = "warplint.removed";

} // namespace warplint
