// Requests that move more sectors than their bytes need: what the checks on
// strides and on layouts have in common.
#pragma once
#include "cost/neighbours.h"
#include "findings/check.h"

namespace warplint {

/// What a check on such requests has for a threshold. A request that moves less
/// than twice what a plain one of floats moves is not worth a word.
inline constexpr Threshold wastefulSectors{
    "sectors", 8, 2, 64, "sectors per request from which on it is reported"};

/// Whether access `i` is a global one whose request, of at least so many
/// sectors, wastes most of what it moves. One that few lanes take part in is
/// not worth a word.
bool isWasteful(const Kernel &kernel, const ShapeCosts &costs, unsigned i,
                unsigned sectors);

/// "lane 0 reads a[0], lane 1 reads a[1024]: 32 sectors where 4 ...".
std::string sectorNote(const Kernel &kernel, const KernelShape &shape,
                       const Access &access, const Cost &cost);

/// What the PTX says of such an access, which is the finding's subject.
Judgement judgeWaste(unsigned subject, const CompiledView &view,
                     unsigned sectors);

} // namespace warplint
