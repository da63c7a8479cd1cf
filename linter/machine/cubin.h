// A cubin to what it says of its kernels: LDL and STL, LDS and STS with their
// lines, and the resources that a launch reserves.
//
// An ELF file. The instructions' encoding was measured with nvdisasm from sm_75
// to sm_121, and the attributes of .nv.info with cuobjdump for ptxas 11.7 to
// 13.0.
#pragma once
#include "machine/compiled.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <array>
#include <set>

namespace warplint {

/// The bytes that a thread moves to local memory and back for want of
/// registers, as ptxas reports them.
struct SpilledBytes {
  unsigned stores = 0, loads = 0;
};

/// One kernel, or a function that `-rdc=true` leaves out of line. Sizes are
/// bytes per thread, shared memory is bytes per block.
struct CubinFunction {
  std::string name; ///< mangled
  bool isKernel = false;
  unsigned registers = 0; ///< 0 if the cubin does not say
  /// The kernel's own frame, as ptxas reports it.
  std::optional<unsigned> stackFrame;
  /// Including the frames of called functions; unknown for recursion, calls
  /// through a pointer, and relocatable code.
  std::optional<unsigned> cumulativeStack;
  unsigned sharedMemory = 0; ///< static, without the system's share
  unsigned barriers = 0;
  /// `__launch_bounds__`: the maximum threads of a block along x, y and z.
  std::optional<std::array<unsigned, 3>> maxThreads;
  /// `__block_size__`: exactly these.
  std::optional<std::array<unsigned, 3>> requiredThreads;
  /// `__maxnreg__`. A cubin does not contain `-maxrregcount`.
  std::optional<unsigned> maxRegisters;
  std::vector<LocalInstruction> locals;  ///< in instruction order
  std::vector<SharedInstruction> shared; ///< likewise
  std::vector<MachineLine> lines;        ///< by file and line
  /// Offsets of the instructions that ptxas marks as spills; since 12.8.
  std::set<uint64_t> spills;
  /// The bytes of its own spills, without those of called functions. Unknown if
  /// it has a stack frame and no marked spill: only CUDA 13 marks all of them.
  std::optional<SpilledBytes> spilled;
  /// The kernel's index in the symbol table, by which nvdisasm selects it; 0 if
  /// there is none.
  unsigned symbol = 0;
  /// Where the parameters begin in constant bank 0; 0 if the cubin does not
  /// say.
  unsigned parameters = 0;
  /// By instruction: the line of the PTX that it comes from; 0 for none. Only
  /// read by readPtxLines.
  std::vector<unsigned> ptxLines;
};

struct CubinReport {
  /// "sm_90", "sm_90a". The family-specific sm_100f reads as sm_100.
  std::string architecture;
  bool isRelocatable = false; ///< from `-rdc=true`: not linked yet
  std::vector<CubinFunction> functions;
};

/// Fails, with a sentence, on anything but a cubin, and on architectures before
/// sm_70, whose instructions have another encoding.
llvm::Expected<CubinReport> readCubin(llvm::MemoryBufferRef cubin);

/// Adds `ptxLines`, which ptxas writes with `-lineinfo`.
void readPtxLines(llvm::MemoryBufferRef cubin, CubinReport &report);

/// Returns the architecture of any cubin, even an old one: "sm_90".
llvm::Expected<std::string> architectureOfCubin(llvm::MemoryBufferRef cubin);

} // namespace warplint
