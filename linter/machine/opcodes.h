// Machine instructions to the pipe that executes them.
#pragma once
#include "machine/compiled.h"

namespace warplint {

/// Counts one instruction by its opcode, the low 12 bits of its first word;
/// padding (NOP) is not counted.
void countInstruction(unsigned opcode, MachineLine &into);

} // namespace warplint
