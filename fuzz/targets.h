// Bytes from anywhere to the readers of what the compiler made: what a fuzzer
// runs, and once for each file of corpus/ the tests.
#pragma once
#include "llvm/ADT/StringRef.h"

namespace warplint {

/// Each reads as a program would, and may only return: a crash, a hang, a leak
/// or more than two gigabytes of memory is what the fuzzer looks for.
void fuzzPtxas(llvm::StringRef bytes);
void fuzzPtx(llvm::StringRef bytes);
void fuzzCubin(llvm::StringRef bytes);

} // namespace warplint
