// Reads the .nv.info sections of a cubin.
#pragma once
#include "machine/cubin.h"
#include "machine/cubin_lines.h"
#include <map>
#include <set>

namespace warplint {

/// Returns, for each function, the offsets of the instructions that ptxas marks
/// as spills. nvdisasm 13.0 calls the mark "SpillRefill"; ptxas 12.9 and 13.0
/// write it, 12.4 does not. The marked instructions move as many bytes as ptxas
/// reports as spilled.
using SpillMarks = std::map<const CubinFunction *, std::set<uint64_t>>;

/// Adds to `functions`, by name, their launch resources and limits. Skips
/// broken attributes.
SpillMarks readInfo(const CubinElf &elf, llvm::ArrayRef<CubinSection> sections,
                    unsigned architecture, ///< 90 for sm_90
                    const std::map<std::string, CubinFunction *> &functions);

/// Returns true if .nv.compat says that the code needs features of exactly this
/// architecture: sm_90a.
bool isAccelerated(const CubinElf &elf, llvm::ArrayRef<CubinSection> sections);

} // namespace warplint
