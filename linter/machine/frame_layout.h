// Finds which local variables are in a kernel's stack frame, and where: the
// part of machine/frame.h that reasons about bytes without names.
#pragma once
#include "machine/compiled.h"

namespace warplint {

struct FrameLayout {
  struct Variables {
    const LocalMemory *memory; ///< of the kernel or a called function
    unsigned start;            ///< bytes above the stack pointer
  };
  std::vector<Variables> variables;
  unsigned arguments = 0; ///< bytes at the bottom, passed to calls
  /// End of the local variables, including the next part's alignment.
  unsigned spillStart = 0;
  /// The kernel's spill instructions, and all instructions that address its
  /// frame.
  std::vector<const LocalInstruction *> spills, others;
  std::string whyNot; ///< why the variables are unknown, as a phrase
};

/// Returns the functions that the kernel calls and that have a frame of their
/// own.
std::vector<const LocalMemory *> calledWithFrames(const CompiledKernel &kernel);

/// Returns true if the function may call itself, directly or not.
bool isRecursive(const LocalMemory &function,
                 const std::vector<LocalMemory> &all);

FrameLayout layoutOf(const CompiledKernel &kernel);

} // namespace warplint
