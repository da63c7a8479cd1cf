// Lists the fields of findings for records (cache/record.h).
#pragma once
#include "findings/check.h"
#include "model/record_fields.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace warplint {

// clang-format off
WARPLINT_FIELDS(Judgement, verdict, evidence, condition)
WARPLINT_FIELDS(Demand, instructions, doubles, special, logic, products, wavefronts, sectors, storing, dramSectors, unsureSectors, latency, together, serialNanoseconds)
WARPLINT_FIELDS(Saving, now, saved, instead, warps, warpsPerBlock, movesInLoops, capability)
WARPLINT_FIELDS(FindingKernel, name, mangled, architecture, judgement, subject, place, share, saving)
WARPLINT_FIELDS(Edit, begin, end, offset, length, text)
WARPLINT_FIELDS(Fix, change, at, also, name, number, kind, assumes, edits, proof, why)
WARPLINT_FIELDS(Finding::Covered, check, place)
WARPLINT_FIELDS(Finding, check, level, place, callSites, message, notes, fix, kernels, about, weight, share, cost, launch, object, cause, places, isPart, minor, leastShare, edit, covers)
// clang-format on

/// Its share is a number.
inline bool isSound(const Saving &saving) {
  return saving.warps > 0 && saving.warpsPerBlock > 0 &&
         std::isfinite(saving.share());
}

inline bool isSound(const Fix &fix) {
  return isIn(fix.change, lastChange) && isIn(fix.kind, FixClass::Assumes) &&
         isIn(fix.proof, Proof::RolledBack);
}

/// Settings and reports look its check up, and reports sort by weight.
inline bool isSound(const Finding &finding) {
  auto isIts = [&](const Check &check) {
    return check.info.id == finding.check;
  };
  return llvm::any_of(checks(), isIts) && isIn(finding.level, Level::Opinion) &&
         std::isfinite(finding.weight) &&
         (!finding.edit || isSound(*finding.edit)) &&
         (!finding.share || (*finding.share >= 0 && *finding.share <= 1)) &&
         llvm::all_of(finding.kernels, [](const FindingKernel &kernel) {
           return isIn(kernel.judgement.verdict, Verdict::Refuted) &&
                  (!kernel.saving || isSound(*kernel.saving));
         });
}

} // namespace warplint
