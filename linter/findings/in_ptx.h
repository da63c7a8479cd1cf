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

/// "the PTX load of 4 bytes at line 12".
std::string inWords(const PtxMatch &match, const CompiledView &view);

} // namespace warplint
