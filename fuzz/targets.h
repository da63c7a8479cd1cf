// Bytes from anywhere to the readers of what the compiler, a server, an editor
// or a repository made: what a fuzzer runs, and once for each file of corpus/
// the tests.
#pragma once
#include "llvm/ADT/StringRef.h"

namespace warplint {

/// Each reads as a program would, and may only return: a crash, a hang, a leak
/// or more than two gigabytes of memory is what the fuzzer looks for.
void fuzzPtxas(llvm::StringRef bytes);
void fuzzPtx(llvm::StringRef bytes);
void fuzzCubin(llvm::StringRef bytes);
/// The first byte says of which kind the record is; it goes through the stage
/// that uses records of that kind.
void fuzzRecord(llvm::StringRef bytes);
/// A compile database's text, a baseline, a report, a report of resources.
void fuzzJson(llvm::StringRef bytes);
void fuzzYaml(llvm::StringRef bytes); ///< .warplint.yaml
void fuzzDiff(llvm::StringRef bytes); ///< unified
void fuzzLsp(llvm::StringRef bytes);  ///< frames of messages

} // namespace warplint
