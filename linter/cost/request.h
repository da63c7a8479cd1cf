// What one request of a warp touches: sectors, banks, addresses.
#pragma once
#include "cost/warp.h"
#include "llvm/ADT/SmallVector.h"

namespace warplint {

constexpr unsigned sectorBytes = 32; ///< the unit that the L2 moves
constexpr unsigned lineBytes = 128;  ///< what a tag of L1 stands for
constexpr unsigned dramBytes = 64;   ///< what DRAM reads and writes at a time
constexpr unsigned banks = 32;       ///< of shared memory
constexpr unsigned wordBytes = 4;    ///< the width of a bank

/// True for what the constant cache serves: kernel parameters lie there too.
inline bool isConstantBank(Space space) {
  return space == Space::Constant || space == Space::Parameter;
}

/// By lane. Functions below use those of the lanes in `active` alone, each
/// with `bytes` bytes.
using LaneAddresses = std::array<uint64_t, warpSize>;

/// Calls `visit` with the lane and the number of each piece of memory of `size`
/// bytes that a lane touches.
template <class Visit>
void forEachPiece(const LaneAddresses &addresses, uint32_t active,
                  unsigned bytes, unsigned size, Visit visit) {
  const uint64_t last = std::max(1u, bytes) - 1;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if (active >> lane & 1)
      for (uint64_t piece = addresses[lane] / size;
           piece <= (addresses[lane] + last) / size; ++piece)
        visit(lane, piece);
}

/// Distinct sectors of a request.
unsigned sectorsTouched(const LaneAddresses &addresses, uint32_t active,
                        unsigned bytes);

/// Conflict ways of a request: the maximum over the banks of distinct words.
unsigned conflictWays(const LaneAddresses &addresses, uint32_t active,
                      unsigned bytes);

/// Wavefronts in which the banks give a request its words: halves of a warp one
/// after the other for 8 bytes, quarters for 16. Shared memory serves parts
/// twice as large for a load if each active lane has the address of the lane
/// whose number differs in the lowest bit, or each that of the one whose number
/// differs in the next: `joinsParts` (H200: kernels/wide_loads).
unsigned bankWavefronts(const LaneAddresses &addresses, uint32_t active,
                        unsigned bytes, bool joinsParts);

/// The addresses of the pieces of `size` bytes that the lanes are in.
LaneAddresses alignedTo(const LaneAddresses &addresses, unsigned size);

/// Returns true if all active lanes are at one place in their pieces of `size`
/// bytes, as those that access the first half of each are.
bool areAtOnePlace(const LaneAddresses &addresses, uint32_t active,
                   unsigned size);

/// Distinct pieces of memory of `size` bytes that a request touches; 1 if no
/// lane is active.
unsigned piecesTouched(const LaneAddresses &addresses, uint32_t active,
                       unsigned bytes, unsigned size);

unsigned distinctAddresses(const LaneAddresses &addresses, uint32_t active);

/// The sectors that DRAM moves for a request (H200: stride 32 takes 2.4 times
/// what stride 8 takes).
inline double dramSectorsTouched(const LaneAddresses &addresses,
                                 uint32_t active, unsigned bytes) {
  return piecesTouched(addresses, active, bytes, dramBytes) *
         (dramBytes / sectorBytes);
}

/// Wavefronts that move the data of `lanes` lanes, whatever their addresses.
inline double dataWavefronts(double lanes, unsigned bytes) {
  return std::max(1.0, lanes * bytes / lineBytes);
}

/// Cycles in which an SM passes a store on, if few others store (H100: 4 for a
/// line, 40 for 32 sectors of 8 lines, 65 for as many of 32).
inline double storePasses(double lines, double sectors) {
  return lines + sectors - 1;
}

/// What several requests touch together.
class Touched {
public:
  void add(const LaneAddresses &addresses, uint32_t active, unsigned bytes);
  unsigned sectors(); ///< distinct ones
  /// The sectors that the distinct bytes would fill if they were contiguous.
  unsigned idealSectors();

private:
  struct Span {
    uint64_t from, to;
  };
  llvm::SmallVector<uint64_t, 128> sectors_;
  llvm::SmallVector<Span, 128> spans_;
};

} // namespace warplint
