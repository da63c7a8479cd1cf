// LDL and STL, LDS and STS of a cubin, with their lines.
#pragma once
#include "compiled/compiled.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>

namespace warplint {

/// Mangled kernel name to the local-memory instructions in its machine code.
/// Every function of the cubin is there, those without such instructions too,
/// and under their own names what `-rdc=true` leaves out of line. Fails, with a
/// sentence, on what is no cubin or is of an architecture before sm_70, whose
/// instructions are encoded in another way.
llvm::Expected<std::map<std::string, std::vector<LocalInstruction>>>
readLocalInstructions(llvm::MemoryBufferRef cubin);

/// The same of the instructions that load and store shared memory.
llvm::Expected<std::map<std::string, std::vector<SharedInstruction>>>
readSharedInstructions(llvm::MemoryBufferRef cubin);

} // namespace warplint
