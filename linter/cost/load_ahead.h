// Which loops load ahead: the loads of several iterations are under way
// together.
#pragma once
#include "cost/costed.h"
#include "cost/demand.h"
#include "cost/frequency.h"

namespace warplint {

/// nvcc unrolls loops without barriers by this, and loads ahead. What keeps it
/// from that was read in the machine code of 52 loops (nvcc 13.0, sm_80, sm_90,
/// sm_100).
constexpr double loadsAhead = 4;

/// Where a counter moves by a constant, and addresses cannot wrap around, ptxas
/// makes four copies of the copies of a short body: `for (i = 0; i < n; ++i)
/// s += a[i]` has 16 loads under way (nvcc 13.0, sm_80 and sm_90, 66 loops:
/// bodies of up to four loads and ten instructions; not of rows that a constant
/// keeps apart, nor with an index that a threadIdx.x makes unsigned). They are
/// there about as late as two fours (H200, kernels/load_batches: 4, 8, 16 loads
/// from DRAM after 976, 1105, 1305 cycles, from L2 after 407, 460, 568).
constexpr double loadsAheadIfShort = 8;

/// Loads with which it begins if it knows the number of iterations (nvcc 13.0,
/// sm_90: 16 to 23 of 16 to 1,024, in one loop and in two).
constexpr double loadsAheadIfKnown = 16;

/// Iterations whose loads are under way together, on average: copies of four
/// iterations wait once, the rest one after the other, that of more copies
/// in fours first. Half of three are left where only the run knows their
/// number.
inline double loadedTogether(double trips, bool isKnown,
                             double copies = loadsAhead) {
  const double left = copies > loadsAhead ? loadsAhead - 1 : (copies - 1) / 2;
  const double rest = isKnown ? 0 : left;
  return trips / std::min(trips, std::max(1.0, trips / copies + rest));
}

/// Returns true if usual values take one way through the operation, and others
/// a branch to a function: exact division, root, sine. No load crosses that
/// branch.
bool hasSlowPath(const Kernel &kernel, const Computation &operation);

/// The same for the iterations of a loop that loads ahead.
double togetherIn(const Kernel &kernel, Frequencies &frequencies, LoopId loop);

/// Returns true if loads of several iterations are under way together; as if
/// `gone`, by index in `kernel.accesses`, were not in the loop.
bool isLoadedAhead(const Kernel &kernel, const ShapeCosts &costs, LoopId loop,
                   llvm::ArrayRef<unsigned> gone = {});

/// Returns true if a load of an innermost loop stays behind the store of the
/// iteration before whatever is promised of pointers: it reads what the loop
/// writes, and what it moves on by is no constant (H100: `a[i] *= b[i]` with
/// the stride of the grid gains 1.03x by '__restrict__').
bool waitsForOwnStore(const Kernel &kernel, const ShapeCosts &costs,
                      LoopId loop);

/// What the innermost loop around an operation waits for since the operation
/// keeps it from loading ahead; its part, if others do so, too.
Demand waitsBehind(const Kernel &kernel, const ShapeCosts &costs,
                   const KernelTime &time, const Computation &operation);

} // namespace warplint
