// How far an address moves when one index advances: which loop or dimension of
// the block steps through neighbouring elements.
#pragma once
#include "cost/costed.h"
#include <array>
#include <optional>
#include <vector>

namespace warplint {

/// Bytes; nothing where the distance is unknown or depends on a size that no
/// launch gives.
struct IndexSteps {
  std::array<std::optional<int64_t>, 3> thread; ///< threadIdx.x, .y and .z
  std::array<std::optional<int64_t>, 3> block;  ///< blockIdx.x, .y and .z
  struct OfLoop {
    LoopId loop;
    std::optional<int64_t> bytes;
  };
  std::vector<OfLoop> loops; ///< around the access, outermost first
};

/// The steps of the first threads of a block in their first iterations. The
/// accesses of a shape share what is evaluated.
const IndexSteps &indexSteps(const CostedKernel &costed,
                             const ShapeCosts &shape, unsigned access);

/// Returns true if a thread's load reads in one of the first iterations of
/// `loop` what its store wrote in an earlier one.
bool loadsWhatItStored(const CostedKernel &costed, const ShapeCosts &shape,
                       const Access &store, const Access &load, LoopId loop);

} // namespace warplint
