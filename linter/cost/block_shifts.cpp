#include "cost/block_shifts.h"
#include <numeric>

namespace warplint {

BlockShifts shifted(const BlockShifts &from, unsigned step,
                    std::optional<uint64_t> blocks, uint64_t place) {
  const uint64_t period = sectorBytes / std::gcd(step, sectorBytes);
  BlockShifts result{{}, from.isWholeGrid && blocks};
  for (uint64_t residue = 0; residue < period; ++residue) {
    const double share =
        blocks
            ? double(*blocks / period + (residue < *blocks % period)) / *blocks
            : 1.0 / period;
    const uint64_t shift = (residue + period - place % period) * step;
    for (unsigned bytes = 0; bytes < sectorBytes; ++bytes)
      result.share[(bytes + shift) % sectorBytes] += from.share[bytes] * share;
  }
  return result;
}

} // namespace warplint
