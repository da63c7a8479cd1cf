// The compiled code of one source, by kernel and architecture.
#pragma once
#include "machine/local_memory.h"
#include "machine/register_report.h"
#include "model/pipe_counts.h"
#include <optional>
#include <string>
#include <vector>

namespace warplint {

/// ptxas' numbers for a device function that a kernel calls. A function that
/// spills without a stack frame does so in its kernel's frame.
struct CalleeUsage {
  std::string name; ///< mangled
  unsigned stackFrame = 0, spillStores = 0, spillLoads = 0;
};

/// ptxas' numbers for one kernel on one architecture. Sizes are bytes per
/// thread, shared memory is bytes per block.
struct Usage {
  std::string kernel;       ///< mangled name, as ptxas prints it
  std::string architecture; ///< "sm_90"; empty if the report does not say
  unsigned registers = 0;   ///< 0 if the report does not say
  unsigned stackFrame = 0, spillStores = 0, spillLoads = 0;
  unsigned sharedMemory = 0;
  std::optional<unsigned> barriers; ///< older releases do not say
  /// Functions that the report lists after this kernel and before the next.
  std::vector<CalleeUsage> callees = {};
};

/// An LDL or STL instruction of the cubin: a local-memory access that remains
/// in the machine code.
struct LocalInstruction {
  bool isStore = false;
  std::string file; ///< as the line table names it; empty if it has no line
  unsigned line = 0;
  unsigned bytes = 0; ///< moved by one lane
  /// Offset in bytes from the stack pointer, R1; unknown for a computed
  /// address, such as that of an array's element. Negative before a function
  /// has allocated its frame.
  std::optional<int> frameOffset = {};
  /// ptxas marks it as saving or restoring a register; only since 12.8.
  bool isMarkedSpill = false;
  /// The out-of-line function that contains it, mangled; empty for the kernel.
  std::string function = {};
};

/// An LDS or STS instruction: a shared-memory access, as wide as ptxas made it.
/// ptxas joins neighbouring accesses of the PTX if their alignment allows it.
struct SharedInstruction {
  bool isStore = false;
  unsigned bytes = 0; ///< moved by one lane
  std::string file;   ///< as the line table names it; empty if it has no line
  unsigned line = 0;
};

/// The machine instructions of one line of the source.
struct MachineLine {
  std::string file;  ///< as the line table names it; empty if there is no line
  unsigned line = 0; ///< in the function that was inlined, not in its caller
  PipeCounts pipes;
  /// Float products and sums that are instructions of their own, and those that
  /// one instruction does together: FMUL, FADD, FFMA, also of halves.
  unsigned products = 0, sums = 0, fused = 0;
  unsigned permutes = 0; ///< PRMT: bytes that are taken apart or put together
  /// ULDC: constants whose address a uniform register has.
  unsigned constantWalks = 0;
};

/// The limits of a kernel's registers; 0: no such limit.
struct LaunchLimits {
  unsigned maxThreads = 0;       ///< in a block: __launch_bounds__, .maxntid
  unsigned minBlocks = 0;        ///< on an SM: its second number, .minnctapersm
  unsigned maxRegisters = 0;     ///< of a thread: __maxnreg__, .maxnreg
  unsigned commandRegisters = 0; ///< of a thread: -maxrregcount
  bool any() const {
    return maxThreads || minBlocks || maxRegisters || commandRegisters;
  }
};

/// A branch whose condition is the same for all threads of a launch, and what
/// ptxas takes for the kernel where the condition is fixed.
struct OptionBranch {
  std::string parameter; ///< whose value decides
  Place place;
  std::vector<Place> callSites;
  Usage taken, notTaken; ///< with the PTX's condition true, and false; it may
                         ///< be the opposite of the source's
  /// The kernel still writes memory then: the branch does not guard all of it.
  bool worksTaken = false, worksNotTaken = false;
};

/// What the compiler takes for a kernel where it must not unroll one loop.
struct RolledLoop {
  Place place;
  Usage usage;
};

/// What the compiler takes for a kernel where it must not inline one function.
struct KeptFunction {
  std::string name;
  Usage usage;
};

/// One kernel, compiled for one architecture.
struct CompiledKernel {
  Usage usage;
  std::vector<LocalInstruction> locals;  ///< in instruction order
  std::vector<SharedInstruction> shared; ///< likewise
  std::vector<MachineLine> lines;        ///< by file and line
  LaunchLimits limits;
  /// ptxas' result for the same PTX without these limits; only for a kernel
  /// with limits and spills.
  std::optional<Usage> withoutLimits;
  /// From the PTX: the kernel first, then the functions that it may call. Only
  /// read if there is a stack frame.
  std::vector<LocalMemory> memory = {};
  /// The values that hold its registers; only for kernels that spill or have
  /// many, and where it is asked for.
  std::optional<RegisterReport> registers = {};
  std::vector<OptionBranch> options = {}; ///< only where it is asked for
  std::vector<RolledLoop> rolled = {};    ///< likewise
  std::vector<KeptFunction> kept = {};    ///< likewise
};

/// The code of one source for one architecture.
struct CompiledUnit {
  std::string architecture; ///< "sm_90"; empty: nvcc's default
  std::vector<CompiledKernel> kernels;
  std::vector<CalleeUsage> functions; ///< not inlined; ptxas' numbers
  bool reportIsCutOff = false;        ///< ptxas' report is incomplete
  std::string ptx;     ///< the whole PTX text; empty if there was none
  std::string ptxFile; ///< the user's own, if nvcc did not make it
  /// Why this architecture has no kernels, as a sentence; empty if it was
  /// compiled (a source may have no kernels).
  std::string whyNot;
  bool endedByChance =
      false; ///< too slow or killed: another attempt may succeed
};

/// A source that was compiled for judging.
struct Compiled {
  std::vector<CompiledUnit> units; ///< none if `whyNot` says something
  /// Why there is nothing to judge by, as a sentence; empty if at least one
  /// architecture compiled.
  std::string whyNot;
  bool endedByChance = false; ///< for some architecture
};

} // namespace warplint
