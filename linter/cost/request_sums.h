// The figures of a warp's requests, and their sums over the requests of one
// access: sectors, ways, wavefronts and lanes.
#pragma once
#include "cost/block_shifts.h"
#include "cost/request.h"
#include <algorithm>
#include <array>
#include <optional>

namespace warplint {

/// The cost of a request in the unit of its space: ways, wavefronts or sectors.
unsigned figureOf(Space space, const LaneAddresses &addresses, uint32_t active,
                  unsigned bytes);

/// The average of sectors over the blocks, and the fewest and most in one.
struct SectorFigures {
  double sectors = 0, fewest = 0, most = 0;
};

struct RequestFigures : SectorFigures {
  unsigned ideal = 0, ways = 0, wavefronts = 0;
};

/// Counts the requests of one access. Most requests of a loop are the last one
/// at an offset, and have its figures, or those of an earlier one at the same
/// place in a sector.
class RequestCounter {
public:
  /// `shifts`: of the blocks that the evaluated one stands for.
  const RequestFigures &count(const LaneAddresses &addresses, uint32_t active,
                              Space space, unsigned bytes, unsigned trial,
                              const BlockShifts &shifts);

  /// How often the sectors of a request were counted, and not known already.
  unsigned counted() const { return counted_; }

private:
  std::optional<uint64_t> movedTo(const LaneAddresses &to,
                                  uint32_t lanes) const;

  RequestFigures last_;
  /// Of the requests that move as a whole from one to the next: by the place of
  /// their first lane in its sector, with these shifts.
  std::array<std::optional<SectorFigures>, sectorBytes> byPlace_;
  BlockShifts shifts_;
  unsigned counted_ = 0;
  LaneAddresses addresses_;
  uint32_t active_ = 0; ///< 0: no request yet
  Space space_ = Space::Unknown;
  unsigned trial_ = 0;
};

/// The sums over the requests of one access in one trial.
struct RequestSums {
  double sectors = 0, ideal = 0, ways = 0, wavefronts = 0, lanes = 0;
  double fewest = 0, most = 0; ///< sectors in one block
  bool isWholeGrid = true;     ///< `sectors` is the average of a known grid
  double requests = 0;
  /// Of the sampled blocks, the cheapest and the costliest one on average.
  std::optional<std::pair<double, double>> range;

  /// The figure of a request on average, and the least and the most of it.
  double value(Space space) const { return figure(space, sectors); }
  double low(Space space) const {
    const double own = figure(space, fewest);
    return range ? std::min(range->first, own) : own;
  }
  double high(Space space) const {
    const double own = figure(space, most);
    return range ? std::max(range->second, own) : own;
  }
  void add(const RequestSums &other, double weight);

private:
  double figure(Space space, double sectors) const {
    return (space == Space::Shared  ? ways
            : isConstantBank(space) ? wavefronts
                                    : sectors) /
           requests;
  }
};

} // namespace warplint
