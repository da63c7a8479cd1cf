// Copies and sets of memory to the loads and stores that the machine runs.
//
// Each function of a kernel or a function that it calls; true if there was
// anything to change.
#pragma once
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicInst.h"

namespace warplint {

/// Splits each copy of at most 512 bytes, a number that is known, into the
/// loads and stores that its alignment allows.
bool splitCopies(llvm::Function &function);

/// Splits each set of at most 512 bytes to a constant into stores, like a copy.
bool splitSets(llvm::Function &function);

/// Fills a table of at most 256 bytes element by element if SROA leaves it in
/// memory because its index is not constant, so that the value of each element
/// is known.
bool fillTables(llvm::Function &function);

/// Makes the halves of split copies non-volatile, for SROA, whose pointer was
/// resolved to an object of the thread's own.
bool openCopies(llvm::Function &function);

/// A copy between what is the function's own, or a set of it, whose memory no
/// caller has.
bool isBetweenLocals(const llvm::MemIntrinsic &change);

} // namespace warplint
