// How many registers begin with the one that an operand names, for opcodes
// whose operands have widths of their own.
#pragma once
#include "machine/disassembly.h"

namespace warplint {

/// The registers of a plain operand of a matrix instruction, by its index:
/// "HMMA.16816.F32 R4, R8, R12, R4" takes 4, 4, 2 and 4.
unsigned matrixWords(const MachineText &instruction, size_t operand);

/// The registers of a plain operand of a texture's instruction: "TEX.LL RZ, R2,
/// R20, R25, UR6, 0x0, 2D, 0x3" writes two registers from R2 on.
unsigned textureWords(const MachineText &instruction, size_t operand);

/// The coordinates in a texture or surface: one for "1D", three for "ARRAY_2D".
unsigned coordinatesOf(const MachineText &instruction);

/// The registers of an operand in brackets of a copy in bulk, such as UTMALDG
/// and UBLKCP.
unsigned bulkWords(const MachineText &instruction, bool isFirst);

} // namespace warplint
