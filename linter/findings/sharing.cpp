#include "findings/sharing.h"
#include "cost/iteration_needs.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {

std::string sharingAdvice(const CostedKernel &costed, const ShapeCosts &shape,
                          LoopId loop, llvm::StringRef who) {
  const Needs needs = needsIfShared(costed, shape, loop);
  if (needs == Needs::Earlier)
    return "each iteration needs the one before: a running sum is a scan, such "
           "as cub::BlockScan; else let each thread, or each warp, have such a "
           "loop of its own";
  return llvm::formatv("{0}let all {1} share the iterations{2}",
                       needs == Needs::Perhaps
                           ? "if none of them needs what another stores, "
                           : "",
                       who,
                       haveOneResult(costed, shape, loop)
                           ? ", and join their results by shuffles"
                           : "");
}

} // namespace warplint
