// What the loads of a stencil leave for each other: another load of the same
// array brings the row into L2, in another warp, block or iteration, or the
// sectors into L1.
#pragma once
#include "cost/warp.h"

namespace warplint {

struct ShapeCosts;

/// By access: true for those that DRAM need not serve. `here` is a warp of the
/// shape that `costs` is of.
std::vector<bool> loadedByAnother(const Kernel &kernel, const ShapeCosts &costs,
                                  Evaluation &evaluation, Warp &here);

/// The part of its memory that a load brings where others of the array touch
/// it, too; each of them brings an equal part.
struct OwnPart {
  /// Of its sectors, beside the other loads of the block's warps (H200: a sum
  /// of the nine neighbours in 16 MB takes 1.03 times as long as a copy).
  double inL1 = 1;
  /// Of its pieces of DRAM, beside the other loads of its warp.
  double inL2 = 1;
};
std::vector<OwnPart> ownParts(const Kernel &kernel, const ShapeCosts &costs,
                              Evaluation &evaluation, Warp &here,
                              const std::vector<bool> &servedByAnother);

} // namespace warplint
