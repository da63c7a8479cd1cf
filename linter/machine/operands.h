// The operands of machine instructions, as nvdisasm prints them.
#pragma once
#include "machine/disassembly.h"

namespace warplint {

/// The number of "R12" or "R12.64"; none for RZ, predicates and others.
std::optional<unsigned> registerIn(llvm::StringRef operand);

/// The first register that the instruction writes.
std::optional<unsigned> destination(const MachineText &instruction);

/// The register that the instruction copies; none if it does more.
std::optional<unsigned> copied(const MachineInstruction &instruction);

/// True if it copies a register, or reads a constant or a special register.
bool isPlainMove(const MachineInstruction &instruction);

/// The offset in "c[0x0][0x210]", the bank of parameters and launch sizes.
std::optional<unsigned> constantOffset(llvm::StringRef operands);

/// Where the code addresses its frame by the stack pointer: "[R1+0x10]".
std::optional<int> frameOffset(llvm::StringRef operands);

/// The registers that a load or store moves.
unsigned wordsMoved(const MachineText &instruction);

} // namespace warplint
