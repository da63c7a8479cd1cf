// Finds the accesses that the compiler has to make each time the source makes
// them: a value that this thread has loaded or stored before is still in a
// register, unless something in between may have changed it, and what the
// thread overwrites before anyone may read it need not be stored.
#pragma once
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace warplint {

/// Says of calls of libdevice's functions, whose bodies are not linked in, what
/// they are: mathematics, which reads no memory and writes only a second result
/// (`sincos`).
void describeLibdevice(llvm::Function &kernel);

/// Marks the loads and stores of a normalised kernel that LLVM's optimiser
/// moves out of their loop or removes (metadata below). Runs the passes that
/// cicc, itself an LLVM, uses for this on a clone: CSE, LICM, GVN with load
/// PRE, DSE. The kernel is unchanged otherwise; one of more than some ten
/// thousand instructions gets no marks. Stores to a thread's own variables get
/// none.
void markNeededAccesses(llvm::Function &kernel,
                        llvm::FunctionAnalysisManager &analyses);

/// A load before its loop, and one that is removed as well takes the value of
/// another; a store behind its loop.
constexpr const char *accessHoisted = "warplint.hoisted";
constexpr const char *accessRemoved = "warplint.removed";

} // namespace warplint
