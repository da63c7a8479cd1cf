// What the compiler made of one source, by kernel and architecture.
#pragma once
#include "machine/local_memory.h"
#include <optional>
#include <string>
#include <vector>

namespace warplint {

/// What ptxas says of a device function that a kernel calls. One without a
/// stack frame that spills all the same does so in the frame of its kernel.
struct CalleeUsage {
  std::string name; ///< mangled
  unsigned stackFrame = 0, spillStores = 0, spillLoads = 0;
};

/// What ptxas says of one kernel on one architecture. Sizes are bytes per
/// thread, shared memory is bytes per block.
struct Usage {
  std::string kernel;       ///< mangled name, as ptxas prints it
  std::string architecture; ///< "sm_90"; empty if the report does not say
  unsigned registers = 0;   ///< 0 if the report does not say
  unsigned stackFrame = 0, spillStores = 0, spillLoads = 0;
  unsigned sharedMemory = 0;
  std::optional<unsigned> barriers; ///< older releases do not say
  /// Functions that the report names behind the kernel, before another one.
  std::vector<CalleeUsage> callees = {};
};

/// An LDL or STL instruction of the cubin: a local-memory access that is left
/// in the machine code.
struct LocalInstruction {
  bool isStore = false;
  std::string file; ///< as the line table names it; empty if it has no line
  unsigned line = 0;
  unsigned bytes = 0; ///< moved by one lane
  /// Bytes from the stack pointer, R1, to what is accessed; not known if the
  /// address is computed, as that of an array's element is. Negative before a
  /// function has made its frame.
  std::optional<int> frameOffset = {};
  /// By ptxas' own word it saves a register, or brings it back. Releases before
  /// 12.8 leave no word.
  bool isMarkedSpill = false;
  /// The function out of the kernel's own line that it is in, mangled; empty if
  /// it is in none.
  std::string function = {};
};

/// An LDS or STS instruction: an access to shared memory, as wide as ptxas made
/// it. It joins neighbours of the PTX where their alignment allows.
struct SharedInstruction {
  bool isStore = false;
  unsigned bytes = 0; ///< moved by one lane
  std::string file;   ///< as the line table names it; empty if it has no line
  unsigned line = 0;
};

/// What holds down the registers of a kernel; 0 where nothing was said.
struct LaunchLimits {
  unsigned maxThreads = 0;       ///< in a block: __launch_bounds__, .maxntid
  unsigned minBlocks = 0;        ///< on an SM: its second number, .minnctapersm
  unsigned maxRegisters = 0;     ///< of a thread: __maxnreg__, .maxnreg
  unsigned commandRegisters = 0; ///< of a thread: -maxrregcount
  bool any() const {
    return maxThreads || minBlocks || maxRegisters || commandRegisters;
  }
};

/// One kernel as one architecture's compilation left it.
struct CompiledKernel {
  Usage usage;
  std::vector<LocalInstruction> locals;  ///< in instruction order
  std::vector<SharedInstruction> shared; ///< likewise
  LaunchLimits limits;
  /// What ptxas makes of the same PTX without these limits; only of a kernel
  /// that has some and spills.
  std::optional<Usage> withoutLimits;
  /// Of the PTX: the kernel first, then what it may call. Only read if
  /// there is a stack frame.
  std::vector<LocalMemory> memory = {};
};

/// One architecture of one source.
struct CompiledUnit {
  std::string architecture; ///< "sm_90"; empty: nvcc's default
  std::vector<CompiledKernel> kernels;
  std::vector<CalleeUsage> functions; ///< not inlined; what ptxas says of them
  bool reportIsCutOff = false;        ///< ptxas' report was not read whole
  std::string ptx;     ///< the whole PTX text; empty if there was none
  std::string ptxFile; ///< the user's own, if nvcc did not make it
  /// Why this architecture has no kernels, as a sentence; empty if it was
  /// compiled (a source may have no kernels).
  std::string whyNot;
  bool endedByChance = false; ///< too slow or killed: once more may go well
};

/// A source that was compiled for judging.
struct Compiled {
  std::vector<CompiledUnit> units; ///< none if `whyNot` says something
  /// Why there is nothing to judge by, as a sentence; empty if at least one
  /// architecture was compiled.
  std::string whyNot;
  bool endedByChance = false; ///< of some architecture
};

} // namespace warplint
