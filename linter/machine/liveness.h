// The code of a kernel to the registers that are live before and after each
// instruction.
//
// `nvdisasm -plr` prints the same, but takes quadratic time, and takes every
// call for one by NVIDIA's ABI: it shows registers as clobbered that hold
// values across the call, and no argument as read. The functions that ptxas
// does not inline, such as the slow path of a division, follow no ABI: seen in
// nvdisasm 13.0 and 13.2.
#pragma once
#include "machine/register_uses.h"

namespace warplint {

inline constexpr unsigned stackPointer = 1; ///< R1, by NVIDIA's ABI

/// The instructions that may follow and precede each.
struct MachineFlow {
  std::vector<std::vector<size_t>> successors, predecessors;
};

bool isCall(const MachineInstruction &instruction);
/// A call of a function in the code of the same kernel. One by an address in a
/// register may name a label, to which the address is relative.
bool isCallWithin(const MachineInstruction &instruction);

struct Liveness {
  std::vector<RegisterSet> before, after;
  /// The registers that get another value; of a call those that are live behind
  /// it.
  std::vector<RegisterSet> written;
  /// An opcode whose registers are not known; then there is nothing else.
  std::string unknownOpcode;
};

Liveness livenessOf(const MachineFunction &function, const MachineFlow &flow);

} // namespace warplint
