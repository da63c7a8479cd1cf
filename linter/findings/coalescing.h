// Says what to change so that neighbouring lanes touch neighbouring elements,
// in words with the program's own names.
#pragma once
#include "findings/check.h"

namespace warplint {

struct CoalescingCure {
  std::string fix; ///< one line; empty if none is known
  /// As `Finding::cause`, where one change of the kernel coalesces other objects
  /// too: the order of its indexes, the loop that the lanes share.
  std::string cause = {};
  /// The indexes of the kernel step over rows, one as the other: what it
  /// touches is a face of an array, and no order of them coalesces it.
  bool isOfFace = false;
};
CoalescingCure coalescingCure(const CostedKernel &costed,
                              const ShapeCosts &shape, unsigned access);

/// Accesses that no finding is about, since their neighbours use the rest of
/// their sectors, and that the remedy of `access` coalesces too, where it is to
/// swap threadIdx.x with another index.
std::vector<unsigned> alsoCuredBySwap(const CostedKernel &costed,
                                      const ShapeCosts &shape, unsigned access);

/// How many times the sectors that its bytes fill an access needs if the lanes
/// of a warp share the loop of `loopToShare`, which there must be: of rows of
/// 12 bytes that lie further apart, each needs a sector of its own.
double sectorsOfRows(const CostedKernel &costed, const ShapeCosts &shape,
                     unsigned access);

/// The loop whose iterations the remedy gives to the lanes of a warp, if
/// nothing in it speaks against that.
std::optional<LoopId> loopToShare(const CostedKernel &costed,
                                  const ShapeCosts &shape, unsigned access);

} // namespace warplint
