#include "cost/request_sums.h"
#include "llvm/ADT/bit.h"

namespace warplint {

unsigned figureOf(Space space, const LaneAddresses &addresses, uint32_t active,
                  unsigned bytes) {
  return space == Space::Shared  ? conflictWays(addresses, active, bytes)
         : isConstantBank(space) ? distinctAddresses(addresses, active)
                                 : sectorsTouched(addresses, active, bytes);
}

/// The offset in bytes, if the same lanes all move by it.
std::optional<uint64_t> RequestCounter::movedTo(const LaneAddresses &to,
                                                uint32_t lanes) const {
  if (!active_ || lanes != active_)
    return std::nullopt;
  const unsigned first = llvm::countr_zero(active_);
  const uint64_t bytes = to[first] - addresses_[first];
  for (unsigned lane = first; lane < warpSize; ++lane)
    if ((active_ >> lane & 1) && to[lane] - addresses_[lane] != bytes)
      return std::nullopt;
  return bytes;
}

namespace {

SectorFigures countSectors(const LaneAddresses &addresses, uint32_t active,
                           unsigned bytes, const BlockShifts &shifts) {
  SectorFigures request;
  request.sectors = request.fewest = request.most =
      sectorsTouched(addresses, active, bytes);
  if (!shifts.any())
    return request;
  request.fewest = warpSize * bytes;
  request.sectors = request.most = 0;
  for (unsigned shift = 0; shift < sectorBytes; ++shift) {
    if (!shifts.share[shift])
      continue;
    LaneAddresses moved = addresses;
    for (uint64_t &address : moved)
      address += shift;
    const double sectors = sectorsTouched(moved, active, bytes);
    request.sectors += shifts.share[shift] * sectors;
    request.fewest = std::min(request.fewest, sectors);
    request.most = std::max(request.most, sectors);
  }
  return request;
}

} // namespace

const RequestFigures &RequestCounter::count(const LaneAddresses &addresses,
                                            uint32_t active, Space space,
                                            unsigned bytes, unsigned trial,
                                            const BlockShifts &shifts) {
  const auto moved = space_ == space && trial_ == trial
                         ? movedTo(addresses, active)
                         : std::nullopt;
  if (!moved || *moved % sectorBytes) {
    if (!moved || shifts_ != shifts) {
      byPlace_.fill(std::nullopt);
      shifts_ = shifts;
    }
    std::optional<SectorFigures> &known =
        byPlace_[addresses[llvm::countr_zero(active)] % sectorBytes];
    if (!known) {
      known = countSectors(addresses, active, bytes, shifts);
      ++counted_;
    }
    static_cast<SectorFigures &>(last_) = *known;
  }
  if (!moved || *moved % wordBytes)
    last_.ways =
        space == Space::Shared ? conflictWays(addresses, active, bytes) : 0;
  if (!moved) {
    Touched touched;
    touched.add(addresses, active, bytes);
    last_.ideal = touched.idealSectors();
    last_.wavefronts =
        isConstantBank(space) ? distinctAddresses(addresses, active) : 0;
  }
  addresses_ = addresses;
  active_ = active;
  space_ = space;
  trial_ = trial;
  return last_;
}

void RequestSums::add(const RequestSums &other, double weight) {
  sectors += weight * other.sectors;
  ideal += weight * other.ideal;
  ways += weight * other.ways;
  wavefronts += weight * other.wavefronts;
  lanes += weight * other.lanes;
  fewest += weight * other.fewest;
  most += weight * other.most;
  requests += weight * other.requests;
  isWholeGrid &= other.isWholeGrid;
}

} // namespace warplint
