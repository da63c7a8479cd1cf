#include "findings/in_ptx.h"
#include "findings/locate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {

namespace {

bool standsFor(const Access &ptx, const Access &source, const Kernel &kernel,
               bool moved) {
  if (ptx.operation != source.operation)
    return false;
  if (!moved)
    return comesFrom(ptx, source.place);
  return ptx.bytes == source.bytes &&
         llvm::none_of(kernel.accesses, [&](const Access &access) {
           return access.operation == ptx.operation &&
                  access.bytes == ptx.bytes && comesFrom(ptx, access.place);
         });
}

} // namespace

std::vector<PtxMatch> inPtx(unsigned subject, const CompiledView &view,
                            Space space) {
  const Kernel &source = view.source.kernel, &ptx = view.ptx->kernel;
  std::vector<PtxMatch> matches;
  for (bool moved : {false, true}) {
    for (const ShapeCosts &shape : view.ptx->shapes)
      for (unsigned i = 0; i < ptx.accesses.size(); ++i)
        if (shape.costs[i].space == space &&
            standsFor(ptx.accesses[i], source.accesses[subject], source, moved))
          matches.push_back({&shape, i,
                             moved ? ptx.accesses[i].place.line
                                   : source.accesses[subject].place.line});
    if (!matches.empty())
      break;
  }
  return matches;
}

Judgement
judgeInPtx(llvm::ArrayRef<unsigned> subjects, const CompiledView &view,
           Space space,
           llvm::function_ref<Judgement(const PtxMatch &match)> ofOne) {
  if (!view.ptx)
    return {Verdict::Unjudged, "the compiler left no PTX to look at"};
  std::string harmless;
  bool unknown = false;
  for (unsigned subject : subjects)
    for (const PtxMatch &match : inPtx(subject, view, space)) {
      Judgement judgement = ofOne(match);
      if (judgement.verdict == Verdict::Confirmed)
        return judgement;
      if (judgement.verdict == Verdict::Unjudged)
        unknown = true;
      else
        harmless = judgement.evidence;
    }
  if (unknown)
    return {Verdict::Unjudged, "the address in the PTX cannot be followed"};
  if (harmless.empty())
    harmless = "the compiler left no such access in the kernel";
  return {Verdict::Refuted, harmless};
}

std::string inWords(const PtxMatch &match, const CompiledView &view) {
  const Access &access = view.ptx->kernel.accesses[match.access];
  return llvm::formatv("the PTX {0} of {1} bytes at line {2}",
                       spelling(access.operation), access.bytes, match.line);
}

} // namespace warplint
