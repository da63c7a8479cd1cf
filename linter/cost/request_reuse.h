// Which part of what a request touches the caches have already: from the
// iteration before, from the other warps of the block, from other blocks, and
// of the memory that a gather reaches.
#pragma once
#include "cost/first_warps.h"
#include "cost/frequency.h"
#include "cost/loaded_again.h"
#include "cost/warps_on_sms.h"

namespace warplint {

/// Factors of what the requests of an access move, from 0 to 1 each.
struct RequestReuse {
  double sectors = 1, dramSectors = 1;
  OwnPart own; ///< of a load: what other loads of the array leave to it
  /// Of the warp's own requests, in L1 and in L2: those that it waits for.
  double misses = 1, dramMisses = 1;
  /// The iterations of the innermost loop that begin a piece of memory: factors
  /// of those.
  double begins = 1, dramBegins = 1;
  bool isFilled = false; ///< others use the rest of its sectors
  /// Of a gather's request; none for what is no gather.
  std::optional<double> wavefronts = {};
  bool isReachUnknown = false; ///< only the run knows how far a gather reaches
  bool isRow = false;          ///< a gather that uses all bytes of its sectors
  /// A gather whose lanes are close to each other, or a scatter.
  bool isClose = false;
};

/// By access; what is there is no result if the time for the source is over.
std::vector<RequestReuse>
requestReuse(const Kernel &kernel, const ShapeCosts &costs,
             Frequencies &frequencies, const WarpsOnSms &warps,
             const Throughput &machine, FirstWarps &first);

} // namespace warplint
