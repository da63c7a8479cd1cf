// The reading step of a batch: each source in a child process, unless the cache
// holds what was read of it.
#pragma once
#include "run/batch.h"

namespace warplint {

/// Returns true if `accesses --summary` counts the expressions of the source as
/// well.
bool measuresCoverage(const Options &options);

/// Reads the outline of each source, and its model if `want` asks for it.
/// Crashes and time-outs end in `SourceOutline::whyNot`.
void readSources(Batch &batch, Want want, const Options &options);

/// Moves sources that take longest to the front, so that no processor waits for
/// a single long one at the end.
void sortByCost(std::vector<size_t> &which, Batch &batch);

} // namespace warplint
