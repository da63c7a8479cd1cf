// The code of a kernel to the registers that are live across its calls.
//
// nvdisasm takes every call for one by NVIDIA's ABI: it shows registers as
// clobbered that hold values across the call, no argument as read, and the
// registers that the ABI makes a function keep as live in all of it. The
// functions that ptxas does not inline, such as the slow path of a division,
// follow no ABI: seen in nvdisasm 13.0 and 13.2.
#pragma once
#include "machine/disassembly.h"
#include <bitset>
#include <map>

namespace warplint {

using RegisterSet = std::bitset<256>;       ///< general registers, by number
inline constexpr unsigned stackPointer = 1; ///< R1, by NVIDIA's ABI

struct CallLiveness {
  /// The registers that are live before and after each instruction.
  std::vector<RegisterSet> before, after;
  /// For a call, by index: the registers that hold another value behind it.
  std::map<size_t, RegisterSet> results;

  bool isEmpty() const { return before.empty(); }
};

/// Follows the values of general registers through the calls within `function`,
/// whose instructions have the given successors. Empty if there is no call.
CallLiveness callLiveness(const MachineFunction &function,
                          const std::vector<std::vector<size_t>> &successors);

} // namespace warplint
