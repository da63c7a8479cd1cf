// The .nv.info sections of a cubin to what they say of each function.
#pragma once
#include "machine/cubin.h"
#include "machine/cubin_lines.h"
#include <map>
#include <set>

namespace warplint {

/// Of each function the offsets of the instructions that ptxas marks as spills.
/// nvdisasm 13.0 calls the mark "SpillRefill"; ptxas 12.9 and 13.0 write it,
/// 12.4 does not. The bytes that marked instructions move add up to the spill
/// bytes of ptxas' report.
using SpillMarks = std::map<const CubinFunction *, std::set<uint64_t>>;

/// Adds to `functions`, which are there by name, what a launch of them reserves
/// and may have. What is broken is left out.
SpillMarks readInfo(const CubinElf &elf, llvm::ArrayRef<CubinSection> sections,
                    unsigned architecture, ///< 90 for sm_90
                    const std::map<std::string, CubinFunction *> &functions);

/// Whether .nv.compat says that the code needs what only this very architecture
/// has: sm_90a.
bool isAccelerated(const CubinElf &elf, llvm::ArrayRef<CubinSection> sections);

} // namespace warplint
