// Fields of the compiled-code types, for records (cache/record.h).
#pragma once
#include "machine/compiled.h"
#include "model/record_fields.h"

namespace warplint {

// clang-format off
WARPLINT_FIELDS(CalleeUsage, name, stackFrame, spillStores, spillLoads)
WARPLINT_FIELDS(Usage, kernel, architecture, registers, stackFrame, spillStores, spillLoads, sharedMemory, barriers, callees)
WARPLINT_FIELDS(LocalInstruction, isStore, file, line, bytes, frameOffset, isMarkedSpill, function)
WARPLINT_FIELDS(SharedInstruction, isStore, bytes, file, line)
WARPLINT_FIELDS(LaunchLimits, maxThreads, minBlocks, maxRegisters, commandRegisters)
WARPLINT_FIELDS(LocalPiece, offset, bytes, used, isDynamic, isStored, isParameter, passedTo, places)
WARPLINT_FIELDS(LocalMemory, function, isKernel, bytes, alignment, pieces, calls, callsThroughPointers, hasAlloca, allocas, pointerCalls)
WARPLINT_FIELDS(CompiledKernel, usage, locals, shared, limits, withoutLimits, memory)
WARPLINT_FIELDS(CompiledUnit, architecture, kernels, functions, reportIsCutOff, ptx, ptxFile, whyNot, endedByChance)
// clang-format on

} // namespace warplint
