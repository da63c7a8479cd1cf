// What the compiler made of one source, by kernel and architecture.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace warplint {

/// What ptxas says of one kernel on one architecture. Sizes are bytes per
/// thread, shared memory is bytes per block.
struct Usage {
  std::string kernel;       ///< mangled name, as ptxas prints it
  std::string architecture; ///< "sm_90"; empty if the report does not say
  unsigned registers = 0;   ///< 0 if the report does not say
  unsigned stackFrame = 0, spillStores = 0, spillLoads = 0;
  unsigned sharedMemory = 0;
  std::optional<unsigned> barriers; ///< older releases do not say
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
  std::optional<int> frameOffset = std::nullopt;
};

/// An LDS or STS instruction: an access to shared memory, as wide as ptxas made
/// it. It joins neighbours of the PTX where their alignment allows.
struct SharedInstruction {
  bool isStore = false;
  unsigned bytes = 0; ///< moved by one lane
  std::string file;   ///< as the line table names it; empty if it has no line
  unsigned line = 0;
};

/// One kernel as one architecture's compilation left it.
struct CompiledKernel {
  Usage usage;
  std::vector<LocalInstruction> locals; ///< in instruction order
  std::vector<SharedInstruction> shared; ///< likewise
};

/// One architecture of one source.
struct CompiledUnit {
  std::string architecture; ///< "sm_90"; empty: nvcc's default
  std::vector<CompiledKernel> kernels;
  std::string ptx; ///< the whole PTX text; empty if there was none
  /// Why this architecture has no kernels, as a sentence; empty if it was
  /// compiled (a source may have no kernels).
  std::string whyNot;
};

/// A source that was compiled for judging.
struct Compiled {
  std::vector<CompiledUnit> units; ///< none if `whyNot` says something
  /// Why there is nothing to judge by, as a sentence; empty if at least one
  /// architecture was compiled.
  std::string whyNot;
};

} // namespace warplint
