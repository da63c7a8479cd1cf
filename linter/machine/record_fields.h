// Fields of the compiled-code types, for records (cache/record.h).
#pragma once
#include "machine/compiled.h"
#include "model/record_fields.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace warplint {

// clang-format off
WARPLINT_FIELDS(CalleeUsage, name, stackFrame, spillStores, spillLoads)
WARPLINT_FIELDS(Usage, kernel, architecture, registers, stackFrame, spillStores, spillLoads, sharedMemory, barriers, callees)
WARPLINT_FIELDS(LocalInstruction, isStore, file, line, bytes, frameOffset, isMarkedSpill, function)
WARPLINT_FIELDS(SharedInstruction, isStore, bytes, file, line)
WARPLINT_FIELDS(PipeCounts, fma, alu, doubles, special, memory, control, movable, products)
WARPLINT_FIELDS(MachineLine, file, line, pipes, products, sums, fused, permutes, constantWalks)
WARPLINT_FIELDS(LaunchLimits, maxThreads, minBlocks, maxRegisters, commandRegisters)
WARPLINT_FIELDS(LocalPiece, offset, bytes, used, isDynamic, isStored, isParameter, passedTo, places)
WARPLINT_FIELDS(LocalMemory, function, isKernel, bytes, alignment, pieces, calls, callsThroughPointers, hasAlloca, allocas, pointerCalls)
WARPLINT_FIELDS(RegisterOwner, kind, name, function, registers, bits, isFloat, place, callSites)
WARPLINT_FIELDS(SpilledOwner, kind, name, bytes, stored, loaded, inLoop)
WARPLINT_FIELDS(LineRegisters, place, most)
WARPLINT_FIELDS(InlinedFunction, name, inside)
WARPLINT_FIELDS(RegisterReport, live, predicates, uniform, place, callSites, function, owners, spills, lines, reasons, unrolled, inlined, whyNot)
WARPLINT_FIELDS(OptionBranch, parameter, place, callSites, taken, notTaken, worksTaken, worksNotTaken)
WARPLINT_FIELDS(RolledLoop, place, usage)
WARPLINT_FIELDS(KeptFunction, name, usage)
WARPLINT_FIELDS(CompiledKernel, usage, locals, shared, lines, limits, withoutLimits, memory, registers, options, rolled, kept)
WARPLINT_FIELDS(CompiledUnit, architecture, kernels, functions, reportIsCutOff, ptx, ptxFile, whyNot, endedByChance)
// clang-format on

/// A frame is laid out byte by byte, so that its size must be one that a thread
/// can have: CUDA's limit is 512 KiB of local memory.
inline constexpr unsigned mostFrameBytes = 1 << 24;

inline bool isSound(const LocalMemory &memory) {
  return memory.bytes <= mostFrameBytes && memory.alignment <= mostFrameBytes &&
         llvm::isPowerOf2_32(memory.alignment) &&
         llvm::all_of(memory.pieces, [&](const LocalPiece &piece) {
           return uint64_t(piece.offset) + piece.bytes <= memory.bytes &&
                  piece.used <= memory.bytes;
         });
}

inline bool isSound(const LocalInstruction &local) {
  const int64_t offset = local.frameOffset.value_or(0);
  return local.bytes <= mostFrameBytes && offset >= -int64_t(mostFrameBytes) &&
         offset <= mostFrameBytes;
}

inline bool isSound(const RegisterReport &report) {
  const auto isKind = [](const auto &owner) {
    return owner.kind <= RegisterKind::Unnamed;
  };
  return llvm::all_of(report.owners, isKind) &&
         llvm::all_of(report.spills, isKind);
}

inline bool isSound(const CompiledUnit &unit) {
  return llvm::all_of(unit.kernels, [](const CompiledKernel &kernel) {
    return kernel.usage.stackFrame <= mostFrameBytes &&
           llvm::all_of(
               kernel.locals,
               [](const LocalInstruction &local) { return isSound(local); }) &&
           (!kernel.registers || isSound(*kernel.registers)) &&
           llvm::all_of(kernel.memory, [](const LocalMemory &memory) {
             return isSound(memory);
           });
  });
}

} // namespace warplint
