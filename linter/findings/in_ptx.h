// Finds the PTX accesses that implement a finding's source access.
#pragma once
#include "findings/check.h"

namespace warplint {

struct PtxMatch {
  const ShapeCosts *shape; ///< one of the PTX kernel's
  unsigned access;         ///< index into the PTX kernel's accesses
  unsigned line;           ///< of the source access, unless it was moved
};

/// The PTX accesses in `space` that implement the source access: those of its
/// operation at its line; or, since the compiler may give a load the line of
/// its use, those of its width at lines where the source has no such access.
/// `view.ptx` must not be null.
std::vector<PtxMatch> inPtx(unsigned subject, const CompiledView &view,
                            Space space);

/// Combines the judgements `ofOne` of the PTX accesses that implement
/// `subjects`: confirmed by the first that confirms; else unjudged if one is
/// unknown; else refuted by the last, or because none is left.
Judgement
judgeInPtx(llvm::ArrayRef<unsigned> subjects, const CompiledView &view,
           Space space,
           llvm::function_ref<Judgement(const PtxMatch &match)> ofOne);

/// Returns true if the PTX may hold the source access as part of a wider access
/// at another line: the compiler joins neighbours, also those of a loop's
/// unrolled iterations, and gives the result one line. What none of the PTX
/// accesses of its line implements is not gone then.
bool mayBeJoined(unsigned subject, const CompiledView &view, Space space);

/// The most of `accesses` that one thread makes to one address in one call:
/// what is left of the iterations of an unrolled loop. Accesses that exclude
/// each other, such as those of two versions of a loop, do not add up.
unsigned mostToOneAddress(const Kernel &kernel, Shape shape,
                          llvm::ArrayRef<unsigned> accesses);

/// The same for the source accesses of the subject's operation and line.
unsigned mostToOneAddressInSource(unsigned subject, const CompiledView &view);

/// "the PTX load of 4 bytes at line 12".
std::string inWords(const PtxMatch &match, const CompiledView &view);

} // namespace warplint
