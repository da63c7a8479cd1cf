// An access and a block shape to what it costs: sectors per request and
// conflict ways, as Nsight Compute counts them ("L2 theoretical sectors" over
// requests, shared wavefronts over requests), and passes through constant
// memory.
//
// Everything is evaluated numerically, lane by lane. Strides, broadcasts,
// padding and swizzles all fall out of that. What is not known gets a probe
// value that adds no misalignment of its own; the whole is then done again with
// other values, and only what comes out the same each time is called exact.
#pragma once
#include "cost/warp.h"
#include <optional>

namespace warplint {

constexpr unsigned sectorBytes = 32; ///< what the L2 moves at once
constexpr unsigned banks = 32;       ///< of shared memory
constexpr unsigned wordBytes = 4;    ///< the width of a bank

enum class Basis {
  Exact,   ///< no probe value changes it
  Assumed, ///< depends on probe values or on data: `low` to `high`
  Unknown  ///< see `why`
};

const char *spelling(Basis basis); ///< "exact", "assumed", "unknown"

/// What one access costs for one block shape.
struct Cost {
  Basis basis = Basis::Unknown;
  Space space = Space::Unknown; ///< as the address turned out
  /// Global: distinct 32-byte sectors per request of a warp, on average.
  double sectors = 0;
  /// Global: sectors that the distinct bytes of a request would fill if they
  /// lay side by side.
  double idealSectors = 0;
  /// Shared: most distinct 4-byte words that one bank gives to a request.
  double ways = 0;
  /// Constant memory and kernel parameters: distinct addresses per request.
  /// Each takes a pass of its own, whatever its width and however close it lies
  /// to the next (CUDA programming guide, "constant memory"; an H200 adds 11
  /// cycles for each, from 38 for one to 379 for 32).
  double wavefronts = 0;
  double low = 0, high = 0; ///< of sectors, ways or passes, over the trials
  double lanes = 0; ///< taking part, on average; if unknown, in the request
                    ///< that showed it
  std::string why;  ///< if unknown: on what it depends
  std::optional<ValueId> cause; ///< if unknown: the node that makes it so
  /// What chooses among the lanes, if data do and the figure depends on it:
  /// every lane that may take part is counted, and `low` is what the fewest
  /// cost.
  std::string chosenBy;
  /// The first request: what each lane that takes part addresses.
  std::array<uint64_t, warpSize> addresses{};
  uint32_t active = 0;
  std::string object; ///< what it points into, if the source has no name for it

  /// What the launches say keeps all threads from it, whatever else is made up:
  /// no request at all.
  bool isKeptOut = false;

  double excess() const { return idealSectors ? sectors / idealSectors : 1; }
};

/// By access, for one block shape; with what its launches say of arguments and
/// grid, or without.
std::vector<Cost> costs(const Kernel &kernel, const KernelShape &shape);
std::vector<Cost> costs(const Kernel &kernel, Shape shape);

/// Distinct sectors, and sectors that the distinct bytes would fill, of what
/// several accesses touch together in their first requests.
struct Footprint {
  unsigned sectors = 0, idealSectors = 0;
};
Footprint footprint(const Kernel &kernel, llvm::ArrayRef<Cost> costs,
                    llvm::ArrayRef<unsigned> accesses);

/// Whether the address is the same in two successive iterations of `loop`, for
/// every lane that takes part; nothing if that cannot be known.
std::optional<bool> sameAddressNextIteration(const Kernel &kernel, Shape shape,
                                             const Access &access, LoopId loop);

/// Whether all lanes of all warps of all blocks use one address in the same
/// iteration of the loops around it; false too if that cannot be known.
bool sameAddressForAll(const Kernel &kernel, Shape shape, const Access &access);

/// Where the bases of an address lie, if all in one space. A pointer that was
/// loaded is one to global memory, as it is where its value is followed.
Space spaceOfBases(const Kernel &kernel, ValueId address);

/// What a node that cannot be known depends on, in the source's words.
std::string reason(const Kernel &kernel, ValueId why);

/// Sectors and conflict ways of one request.
unsigned sectorsTouched(const std::array<uint64_t, warpSize> &addresses,
                        uint32_t active, unsigned bytes);
unsigned conflictWays(const std::array<uint64_t, warpSize> &addresses,
                      uint32_t active, unsigned bytes);
unsigned distinctAddresses(const std::array<uint64_t, warpSize> &addresses,
                           uint32_t active);

} // namespace warplint
