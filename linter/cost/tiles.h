// Shared memory that a kernel fills from global memory.
#pragma once
#include "model/model.h"
#include <optional>
#include <vector>

namespace warplint {

/// A load of global memory whose value a store of the same iteration puts into
/// shared memory.
struct TileFill {
  unsigned load = 0, store = 0;
};

/// In the order of the loads; one for each load.
std::vector<TileFill> tileFills(const Kernel &kernel);

/// The first object that an address is computed from, as an index into
/// Kernel::objects.
std::optional<uint64_t> baseOf(const ExpressionGraph &graph, ValueId address);

/// The name of that object as its declaration has it: a function that is
/// called, or a method, has another one. Empty if it is unknown.
std::string variableOf(const Kernel &kernel, const Access &access);

/// Returns true if two addresses are computed from one object, whatever names
/// functions give it.
bool areInOneObject(const ExpressionGraph &graph, ValueId a, ValueId b);

/// The innermost loop around a fill in which the block waits at a barrier, and
/// reads the tile; none if there is none.
std::optional<LoopId> tiledLoop(const Kernel &kernel, const TileFill &fill);

} // namespace warplint
