// The edits of findings whose checks ask for one.
#pragma once
#include "run/batch.h"

namespace warplint {

/// Adds the edits of the source's text, where it may be changed; takes the fix
/// away from findings for which the text has none.
void addEdits(std::vector<Finding> &findings, const Work &work,
              const Buffers &buffers);

} // namespace warplint
