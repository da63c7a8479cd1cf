// The reading step of a batch: each source in a child process, unless the cache
// holds what was read of it.
#pragma once
#include "run/batch.h"

namespace warplint {

/// Reads the outline of each source, and its model if `want` asks for it.
/// Crashes and time-outs end in `SourceOutline::whyNot`.
void readSources(Batch &batch, Want want, const Options &options);

/// Takes the model of a source from the cache; false if it is not there.
/// Thread-safe for different sources.
bool recallModel(Batch &batch, size_t i);

/// Frees the model of a source but for its outline; the cache must have it.
void forgetModel(Work &work);

/// Moves sources that include much to the front, so that at the end no
/// processor works on a long one while the others are idle: 13 % on a tree of
/// 100.
void sortBySize(std::vector<size_t> &which, Batch &batch);

} // namespace warplint
