// Uncoalesced requests, which move more sectors than their bytes need: shared
// by the checks on strides and on layouts.
#pragma once
#include "cost/neighbours.h"
#include "cost/two_lanes.h"
#include "findings/check.h"

namespace warplint {

/// The threshold of these checks. A coalesced request of floats moves 4
/// sectors; below twice that, the waste is not worth a report.
inline constexpr Threshold wastefulSectors{
    "sectors", 8, 2, 64, "sectors per request from which on it is reported"};

/// Returns true if access `i` is global and its request moves at least
/// `sectors` and wastes most of them. Requests of few lanes do not count.
bool isWasteful(const Kernel &kernel, const ShapeCosts &costs, unsigned i,
                unsigned sectors);

/// The launch that wastes most by an access, alone, of those that pass all that
/// its addresses depend on; null if there is none, or only one launch. Figures
/// of several launches are of the costliest one, whatever the others pass.
const ShapeCosts *wastefulLaunch(const CostedKernel &costed, unsigned access,
                                 unsigned sectors);

/// "lane 0 reads a[0], lane 1 reads a[1024]: 32 sectors where 4 ...".
std::string sectorNote(TwoLanes &lanes, const KernelShape &shape,
                       const Access &access, const Cost &cost);

/// Judges such an access, the finding's subject, by the PTX.
Judgement judgeWaste(unsigned subject, const CompiledView &view,
                     unsigned sectors);

} // namespace warplint
