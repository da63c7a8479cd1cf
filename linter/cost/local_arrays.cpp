#include "cost/local_arrays.h"
#include "cost/compile_time.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <set>

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

/// Returns true for an array of words, and of no structures: "float[16]".
static bool isOfWords(const Array &array) {
  const llvm::StringRef element = llvm::StringRef(array.type).split('[').first;
  return llvm::is_contained(
      {"float", "int", "unsigned int", "unsigned", "uint32_t", "int32_t"},
      element.trim());
}

bool isSelected(const Kernel &kernel, unsigned array) {
  unsigned unknown = 0;
  bool isInLoop = false;
  std::set<unsigned> others; ///< arrays with such accesses
  for (const Access &access : kernel.accesses) {
    if (!access.array || !whyNotKnown(kernel, access.address))
      continue;
    if (access.array != array) {
      others.insert(*access.array);
      continue;
    }
    if (access.bytes != wordBytes)
      return false;
    ++unknown;
    isInLoop |= !access.loops.empty();
  }
  const unsigned words = isInLoop       ? 2
                         : unknown == 1 ? 64
                         : unknown <= 3 ? 32
                         : unknown == 4 ? 12
                         : unknown <= 8 ? 8
                                        : 2;
  const Array &it = kernel.arrays[array];
  uint64_t bytes = it.bytes;
  for (unsigned other : others)
    bytes += kernel.arrays[other].bytes;
  return it.passedTo.empty() && it.bytes && isOfWords(it) &&
         bytes <= words * wordBytes;
}

bool canBeInRegisters(const Kernel &kernel, unsigned array) {
  const Array &it = kernel.arrays[array];
  return it.passedTo.empty() && it.bytes <= mostBytesInRegisters &&
         (!firstUnknownIndex(kernel, array) || isSelected(kernel, array));
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
