// What the PTX has of a source access that a finding is about.
#pragma once
#include "findings/check.h"

namespace warplint {

struct PtxMatch {
  const ShapeCosts *shape; ///< one of the PTX kernel's
  unsigned access;         ///< index into the PTX kernel's accesses
  unsigned line;           ///< of the source access, unless it was moved
};

/// The PTX accesses, in `space` and of the source access' operation, that stand
/// for it: those at its line; or, since the compiler may give a load
/// the line of what uses it, those of its width at lines where the source has
/// no such access at all. `view.ptx` must be there.
std::vector<PtxMatch> inPtx(unsigned subject, const CompiledView &view,
                            Space space);

/// What the PTX accesses that stand for `subjects` say together, each by
/// `ofOne`: confirmed by the first that confirms; else unjudged if one cannot
/// be followed; else refuted by the last, or because none is left.
Judgement
judgeInPtx(llvm::ArrayRef<unsigned> subjects, const CompiledView &view,
           Space space,
           llvm::function_ref<Judgement(const PtxMatch &match)> ofOne);

/// "the PTX load of 4 bytes at line 12".
std::string inWords(const PtxMatch &match, const CompiledView &view);

} // namespace warplint
