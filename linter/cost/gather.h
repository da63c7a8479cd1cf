// How much memory a gather or scatter may touch, and so which cache serves it:
// `table[key[i]]` with keys of 8 bits reaches 1 KB, whatever the data are.
#pragma once
#include "cost/frequency.h"
#include "cost/lanes.h"
#include <set>

namespace warplint {

class LoadedIndexes;

/// The memory that an access whose address loaded data decide may touch.
struct GatherReach {
  /// No value if only the run knows.
  std::optional<double> bytes = {};
  bool isOfBlock = false; ///< each block has its own; else it is the grid's
  /// Requests of a block, for each of its warps, between which the memory stays
  /// the same; 0: of the whole launch.
  double requests = 0;
};

GatherReach gatherReach(const Kernel &kernel, const KernelShape &shape,
                        const Access &access, LoadedIndexes &indexes,
                        Frequencies &frequencies);

/// Returns true for the place of a sample: floats compute it from the thread's
/// index and from data that are the same for all lanes, as in
/// 'row[int(x * cosine + y * sine)]'. Neighbouring lanes are close to each
/// other there, also where each adds a displacement of its own to that, as a
/// flow or a deformation does.
bool isOfSample(const ExpressionGraph &graph, ValueId address, Warp &warp);

/// The addresses of lanes 0 and 1 one element before each load: where a row
/// begins, if the load is of its end.
using RowBegins = std::set<std::pair<uint64_t, uint64_t>>;
RowBegins rowBegins(const Kernel &kernel, Warp &warp);

/// Returns true for an element of a row whose begin and end are neighbours in
/// memory, 'value[begin[i] + k]' of a kernel that also loads 'begin[i + 1]':
/// rows lie one after the other, and all bytes of their sectors are used.
bool isOfRow(const ExpressionGraph &graph, ValueId address,
             const RowBegins &begins, Warp &warp);

/// The bytes by which a loop before this load walks along a row of its thread,
/// `while (left > 12) x = *k++; x = *k;`: only how far it got is data, and L1
/// has the sectors that it left. None for another address.
std::optional<double> stepOfWalkedRow(const Kernel &kernel, const Access &load);

/// How many warps share the caches.
struct CacheUsers {
  double requests = 1;      ///< of a warp, in the launch
  double lanes = 32;        ///< of a request
  double together = 1;      ///< gathers of one object in the same loops
  double warpsPerBlock = 1; ///< of the launch
  double residentWarps = 1; ///< of an SM, at once
  double warpsPerSm = 1;    ///< in the launch
  double multiprocessors = 1;
};

/// The average cost of a request of a gather.
struct GatherCost {
  double wavefronts = 0; ///< of L1
  double inL2 = 1;       ///< the share of its sectors that L1 does not have
  double inDram = 1;     ///< the share that L2 does not have
  bool isReachKnown = false; ///< else it is taken to reach anything
};
GatherCost gatherCost(const GatherReach &reach, const CacheUsers &users);

} // namespace warplint
