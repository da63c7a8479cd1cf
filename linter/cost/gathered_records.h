// Gathers of the members of one record, `body[index[k]].x` and `.y`: one of
// them brings the sectors, and L1 has them for the others.
#pragma once
#include "cost/costed.h"
#include "cost/frequency.h"

namespace warplint {

/// The part of the sectors of its lanes that a gather brings, from 0 to 1.
struct RecordPart {
  double sectors = 1, dramSectors = 1;
};

/// By access; 1 for what is no load that data lead to. A record is what loads
/// in the same loops reach from one loaded index within 128 bytes: by
/// constants, and by counters of inner loops that stay within 64.
std::vector<RecordPart> gatheredRecords(const Kernel &kernel,
                                        llvm::ArrayRef<Cost> costs,
                                        Frequencies &frequencies);

} // namespace warplint
