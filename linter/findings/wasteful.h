// Requests that move more sectors than their bytes need: what the checks on
// strides and on layouts have in common.
#pragma once
#include "findings/check.h"
#include "findings/neighbours.h"

namespace warplint {

/// Whether access `i` is a global one whose request wastes most of what it
/// moves. A request that moves no more than twice what a plain one of floats
/// moves is not worth a word, nor one that few lanes take part in.
bool isWasteful(const Kernel &kernel, const ShapeCosts &costs, unsigned i);

/// "lane 0 reads a[0], lane 1 reads a[1024]: 32 sectors where 4 ...".
std::string sectorNote(const Kernel &kernel, const KernelShape &shape,
                       const Access &access, const Cost &cost);

/// What the PTX says of such an access, which is the finding's subject.
Judgement judgeWaste(const Finding &finding, unsigned subject,
                     const CompiledView &view);

} // namespace warplint
