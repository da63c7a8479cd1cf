#include "cost/local_arrays.h"
#include "cost/compile_time.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/bit.h"
#include <cmath>

namespace warplint {

namespace {

constexpr unsigned wordBytes = 4;
/// The same word of so many neighbouring lanes fills a sector.
constexpr unsigned lanesPerSector = 8;
/// A thread has at most 255 registers.
constexpr uint64_t mostBytesInRegisters = 255 * wordBytes;

/// Distinct values that `draws` random ones of `all` have on average.
double distinct(double all, double draws) {
  return all * (1 - std::pow(1 - 1 / all, draws));
}

} // namespace

bool canBeInRegisters(const Kernel &kernel, unsigned array) {
  const Array &it = kernel.arrays[array];
  return it.passedTo.empty() && it.bytes <= mostBytesInRegisters &&
         !firstUnknownIndex(kernel, array);
}

LocalRequest localRequest(const LaneValues &address, uint32_t active,
                          unsigned bytes, uint64_t arrayBytes) {
  const double words = std::max(1u, bytes / wordBytes);
  const double lanes = std::max(1, llvm::popcount(active));
  LocalRequest same{words, words * std::ceil(lanes / lanesPerSector)};
  if (address.unknown & active) {
    const double elements = double(arrayBytes) / (words * wordBytes);
    if (address.uniform || elements <= 1)
      return same;
    const double groups = std::ceil(lanes / lanesPerSector);
    return {words * distinct(elements, lanes),
            words * groups * distinct(elements, lanes / groups)};
  }
  llvm::SmallSet<uint64_t, 32> lines, sectors;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if (active >> lane & 1) {
      const uint64_t word = address.value[lane] / wordBytes;
      lines.insert(word);
      sectors.insert(word * warpSize + lane / lanesPerSector);
    }
  return {words * std::max<double>(1, lines.size()),
          words * std::max<double>(1, sectors.size())};
}

} // namespace warplint
