#include "cost/request.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/bit.h"
#include <algorithm>

namespace warplint {

namespace {

using Numbers = llvm::SmallVector<uint64_t, 128>;

void addSectors(const LaneAddresses &addresses, uint32_t active, unsigned bytes,
                Numbers &sectors) {
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if (active >> lane & 1)
      for (uint64_t sector = addresses[lane] / sectorBytes;
           sector <= (addresses[lane] + bytes - 1) / sectorBytes; ++sector)
        if (sectors.empty() || sectors.back() != sector)
          sectors.push_back(sector);
}

unsigned distinct(Numbers &numbers) {
  if (!llvm::is_sorted(numbers)) // those of most accesses are
    std::sort(numbers.begin(), numbers.end());
  return std::unique(numbers.begin(), numbers.end()) - numbers.begin();
}

/// The hardware serves wider accesses by halves and quarters of a warp (CUDA
/// programming guide; measured: float4 at stride 1 has no conflict).
unsigned partsOf(unsigned bytes) { return bytes <= 4 ? 1 : bytes == 8 ? 2 : 4; }

/// The most distinct words of one bank that the lanes of a part access.
unsigned waysIn(unsigned part, unsigned parts, const LaneAddresses &addresses,
                uint32_t active, unsigned bytes) {
  const unsigned lanes = warpSize / parts;
  Numbers words;
  for (unsigned lane = part * lanes; lane < (part + 1) * lanes; ++lane)
    if (active >> lane & 1)
      for (uint64_t word = addresses[lane] / wordBytes;
           word <= (addresses[lane] + bytes - 1) / wordBytes; ++word)
        words.push_back(word);
  words.resize(distinct(words));
  unsigned most = 0;
  std::array<unsigned, banks> perBank{};
  for (uint64_t word : words)
    most = std::max(most, ++perBank[word % banks]);
  return most;
}

} // namespace

unsigned sectorsTouched(const LaneAddresses &addresses, uint32_t active,
                        unsigned bytes) {
  Numbers sectors;
  addSectors(addresses, active, bytes, sectors);
  return distinct(sectors);
}

unsigned conflictWays(const LaneAddresses &addresses, uint32_t active,
                      unsigned bytes) {
  const unsigned parts = partsOf(bytes);
  unsigned most = 0;
  for (unsigned part = 0; part < parts; ++part)
    most = std::max(most, waysIn(part, parts, addresses, active, bytes));
  return most;
}

unsigned bankWavefronts(const LaneAddresses &addresses, uint32_t active,
                        unsigned bytes, bool joinsParts) {
  auto areAlike = [&](unsigned bit) {
    for (unsigned lane = 0; lane < warpSize; ++lane)
      if (active >> lane & active >> (lane ^ bit) & 1 &&
          addresses[lane] != addresses[lane ^ bit])
        return false;
    return true;
  };
  unsigned parts = partsOf(bytes);
  if (joinsParts && parts > 1 && (areAlike(1) || areAlike(2)))
    parts /= 2;
  unsigned sum = 0;
  for (unsigned part = 0; part < parts; ++part)
    sum += waysIn(part, parts, addresses, active, bytes);
  return sum;
}

LaneAddresses alignedTo(const LaneAddresses &addresses, unsigned size) {
  LaneAddresses aligned = addresses;
  for (uint64_t &address : aligned)
    address -= address % size;
  return aligned;
}

bool areAtOnePlace(const LaneAddresses &addresses, uint32_t active,
                   unsigned size) {
  const unsigned first = active ? llvm::countr_zero(active) : 0;
  return llvm::all_of(llvm::seq(warpSize), [&](unsigned lane) {
    return !(active >> lane & 1) ||
           addresses[lane] % size == addresses[first] % size;
  });
}

unsigned piecesTouched(const LaneAddresses &addresses, uint32_t active,
                       unsigned bytes, unsigned size) {
  llvm::SmallSet<uint64_t, warpSize> pieces;
  forEachPiece(addresses, active, bytes, size,
               [&](unsigned, uint64_t piece) { pieces.insert(piece); });
  return std::max<unsigned>(1, pieces.size());
}

unsigned distinctAddresses(const LaneAddresses &addresses, uint32_t active) {
  Numbers numbers;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if (active >> lane & 1)
      numbers.push_back(addresses[lane]);
  return distinct(numbers);
}

void Touched::add(const LaneAddresses &addresses, uint32_t active,
                  unsigned bytes) {
  addSectors(addresses, active, bytes, sectors_);
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if (active >> lane & 1)
      spans_.push_back({addresses[lane], addresses[lane] + bytes});
}

unsigned Touched::sectors() {
  sectors_.resize(distinct(sectors_));
  return sectors_.size();
}

unsigned Touched::idealSectors() {
  std::sort(spans_.begin(), spans_.end(),
            [](Span a, Span b) { return a.from < b.from; });
  uint64_t bytes = 0, end = 0;
  for (Span span : spans_) {
    const uint64_t from = std::max(span.from, end);
    if (span.to > from)
      bytes += span.to - from;
    end = std::max(end, span.to);
  }
  return std::max<uint64_t>(1, (bytes + sectorBytes - 1) / sectorBytes);
}

} // namespace warplint
