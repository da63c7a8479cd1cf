#include "findings/in_ptx.h"
#include "findings/locate.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

namespace {

bool standsFor(const Access &ptx, const Access &source, const Place &place,
               const Kernel &kernel, bool moved) {
  if (ptx.operation != source.operation)
    return false;
  if (!moved)
    return comesFrom(ptx, place);
  return ptx.bytes == source.bytes &&
         llvm::none_of(kernel.accesses, [&](const Access &access) {
           return access.operation == ptx.operation &&
                  access.bytes == ptx.bytes && comesFrom(ptx, access.place);
         });
}

} // namespace

std::vector<PtxMatch> inPtx(const Finding &finding, unsigned subject,
                            const CompiledView &view, Space space) {
  const Kernel &source = view.source.kernel, &ptx = view.ptx->kernel;
  std::vector<PtxMatch> matches;
  for (bool moved : {false, true}) {
    for (const ShapeCosts &shape : view.ptx->shapes)
      for (unsigned i = 0; i < ptx.accesses.size(); ++i)
        if (shape.costs[i].space == space &&
            standsFor(ptx.accesses[i], source.accesses[subject], finding.place,
                      source, moved))
          matches.push_back({&shape, i});
    if (!matches.empty())
      break;
  }
  return matches;
}

} // namespace warplint
