// Loads that wait for other loads: their address comes from loaded data, or
// they stand behind a store of loaded data.
#pragma once
#include "model/model.h"
#include <optional>

namespace warplint {

/// For each access, the loads in the same innermost loop, and in the same
/// iteration, that its address is computed from, and those whose data the store
/// before it writes, by index in `kernel.accesses`. No chain of them is a
/// circle.
std::vector<std::vector<unsigned>> loadsBefore(const Kernel &kernel);

/// For each load in no loop, the last store of loaded data before it, under the
/// same condition and through another pointer argument. Without a promise in
/// the source the compiler has to assume that the store changes what is loaded,
/// and a warp executes in order: the load waits for the data that the store
/// writes. In loops, stores keep the next iteration's loads behind them
/// (cost/load_ahead).
std::vector<std::optional<unsigned>> storesBefore(const Kernel &kernel);

} // namespace warplint
