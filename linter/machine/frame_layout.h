// Which local variables are in a kernel's stack frame, and where: the part of
// machine/frame.h that reasons about bytes without names.
#pragma once
#include "machine/compiled.h"

namespace warplint {

struct FrameLayout {
  struct Variables {
    const LocalMemory *memory; ///< of the kernel, or of what it calls
    unsigned start;            ///< bytes above the stack pointer
  };
  std::vector<Variables> variables;
  unsigned arguments = 0; ///< bytes at the bottom, passed to calls
  /// Where the local variables end, with what aligns the next part.
  unsigned spillStart = 0;
  /// The kernel's instructions that are spills, and all that address its frame.
  std::vector<const LocalInstruction *> spills, others;
  std::string whyNot; ///< why the variables are not told, as a phrase
};

/// Functions that the kernel calls and that have a frame of their own.
std::vector<const LocalMemory *> calledWithFrames(const CompiledKernel &kernel);

/// Whether the function may come to call itself.
bool isRecursive(const LocalMemory &function,
                 const std::vector<LocalMemory> &all);

FrameLayout layoutOf(const CompiledKernel &kernel);

} // namespace warplint
