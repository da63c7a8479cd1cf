// The .nv.info sections of a cubin to what they say of each function.
#pragma once
#include "compiled/cubin.h"
#include "compiled/cubin_lines.h"
#include <map>

namespace warplint {

/// Adds to `functions`, which are there by name, what a launch of them reserves
/// and may have. What is broken is left out.
void readInfo(const CubinElf &elf, llvm::ArrayRef<CubinSection> sections,
              unsigned architecture, ///< 90 for sm_90
              const std::map<std::string, CubinFunction *> &functions);

/// Whether .nv.compat says that the code needs what only this very architecture
/// has: sm_90a.
bool isAccelerated(const CubinElf &elf, llvm::ArrayRef<CubinSection> sections);

} // namespace warplint
