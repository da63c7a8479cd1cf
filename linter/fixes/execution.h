// A kernel in IR that was made of PTX to what it stores when it runs on made-up
// inputs: an interpreter of all threads of a few blocks.
#pragma once
#include "model/model.h"
#include "llvm/IR/Function.h"
#include <map>

namespace warplint {

/// The same inputs give the same memory and the same arguments to any kernel:
/// pointers to distinct memory without end, contents that are a function of the
/// address, numbers by position.
struct Inputs {
  Shape block, grid;
  uint64_t size = 0; ///< of each whole number among the arguments
  /// Not 0: each whole number is another one, from 1 to 40, of this series.
  unsigned series = 0;
  unsigned numbers = 61; ///< whole numbers in memory are below it
};

struct StoredByte {
  uint8_t value = 0;
  uint8_t width = 1; ///< bytes of the number that it is part of

  bool operator==(const StoredByte &) const = default;
};

struct Execution {
  std::map<uint64_t, StoredByte> stored; ///< the last byte at each address
  std::string whyNot;     ///< what cannot be executed; empty if it all was
  bool isTooLong = false; ///< it ended at the limit of instructions
  /// A thread read or wrote beyond its arrays, so that anything may follow.
  bool leavesArrays = false;
  uint64_t steps = 0; ///< instructions of all threads
};

/// Threads run one after the other, each up to a barrier or an exchange with
/// its warp. Approximate functions are those of C++, and 16-bit floats are some
/// function of their operands; single and double arithmetic is exact, rounded
/// to nearest.
Execution execute(const llvm::Function &kernel, const Inputs &inputs,
                  uint64_t mostSteps);

/// The argument that an address is in, if it is in the memory of one.
std::optional<unsigned> argumentAt(uint64_t address);

} // namespace warplint
