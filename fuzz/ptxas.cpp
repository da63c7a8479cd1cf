#include "machine/ptxas.h"
#include "fuzz/targets.h"

void warplint::fuzzPtxas(llvm::StringRef bytes) { (void)readPtxas(bytes); }
