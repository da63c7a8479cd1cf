// Computes the cost of accesses for a block shape: sectors per request and
// conflict ways, as Nsight Compute counts them ("L2 theoretical sectors" over
// requests, shared wavefronts over requests), and wavefronts of constant
// memory.
//
// Evaluates addresses numerically, lane by lane, which covers strides,
// broadcasts, padding and swizzles alike. Unknowns get probe values that add no
// misalignment of their own. The evaluation is repeated with other probe
// values: a cost that stays the same is exact.
#pragma once
#include "cost/request.h"
#include "model/may_be_global.h"
#include <optional>

namespace warplint {

enum class Basis {
  Exact,   ///< independent of probe values
  Bounded, ///< sectors: probe values move it by one at most, which is how a row
           ///< of unknown pitch begins inside a sector
  Assumed, ///< depends on probe values or on data: `low` to `high`
  Unknown  ///< see `why`
};

const char *spelling(Basis basis); ///< "exact", "bounded", "assumed", "unknown"

/// The cost of one access for one block shape.
struct Cost {
  Basis basis = Basis::Unknown;
  Space space = Space::Unknown; ///< of the evaluated address
  /// Global: distinct 32-byte sectors per request of a warp, on average.
  double sectors = 0;
  /// Global: sectors that the distinct bytes of a request would fill if they
  /// were contiguous.
  double idealSectors = 0;
  /// Shared: the maximum over the banks of distinct 4-byte words per request.
  double ways = 0;
  /// Constant memory and kernel parameters: distinct addresses per request.
  /// Each takes a wavefront, whatever its width and its distance from the next
  /// (CUDA programming guide, "constant memory"; an H200 adds 11
  /// cycles for each, from 38 for one to 379 for 32).
  double wavefronts = 0;
  /// Bounds of sectors, ways or wavefronts, for any sizes and blocks and for
  /// warps of which conditions on sizes leave only some lanes.
  double low = 0, high = 0;
  double lowWhole = 0; ///< `low` without those warps
  double lanes = 0;    ///< active, on average; if unknown, in the request that
                       ///< showed it
  std::string why;     ///< if unknown: the reason
  std::optional<ValueId> cause; ///< if unknown: the node that makes it so
  /// The data that select the active lanes, if the figure depends on them. The
  /// figure counts every lane that may be active; `low` counts the fewest.
  std::string chosenBy;
  /// The address of each active lane in the first request.
  LaneAddresses addresses{};
  uint32_t active = 0;
  std::string object; ///< that it points into, if the access has no name

  /// The launches' constants keep all threads from it, whatever the probe
  /// values are: there is no request.
  bool isKeptOut = false;

  /// True if what is unknown moves the figure, by however little.
  bool isOpen() const {
    return basis == Basis::Bounded || basis == Basis::Assumed;
  }
  double excess() const { return idealSectors ? sectors / idealSectors : 1; }
  /// True if loaded data decide each lane's address in global memory.
  bool isGather() const {
    return basis == Basis::Unknown && cause && mayBeGlobal(space);
  }
  /// The lanes of a request; all of them where that is unknown.
  double lanesOrAll() const { return lanes ? lanes : warpSize; }
};

/// By access, for one block shape; with or without its launches' constants.
std::vector<Cost> costs(const Kernel &kernel, const KernelShape &shape);
std::vector<Cost> costs(const Kernel &kernel, Shape shape);

/// Distinct sectors that several accesses touch together in their first
/// requests, and sectors that the distinct bytes would fill.
struct Footprint {
  unsigned sectors = 0, idealSectors = 0;
};
Footprint footprint(const Kernel &kernel, llvm::ArrayRef<Cost> costs,
                    llvm::ArrayRef<unsigned> accesses);

} // namespace warplint
