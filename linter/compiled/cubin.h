// LDL and STL of a cubin, with their lines.
#pragma once
#include "compiled/compiled.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>

namespace warplint {

/// Mangled kernel name to the local-memory instructions in its machine code.
llvm::Expected<std::map<std::string, std::vector<LocalInstruction>>>
readLocalInstructions(llvm::MemoryBufferRef cubin);

} // namespace warplint
