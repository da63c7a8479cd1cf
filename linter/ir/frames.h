// Places of instructions, from their debug locations.
#pragma once
#include "ir/names.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace warplint {

/// Empty without a file.
std::string absolutePath(const llvm::DIFile *file);

Place placeOf(const llvm::DILocation *location, const Names &names);

/// The place of an instruction for the user: the innermost frame in one of the
/// user's files, and the calls that lead there.
struct Frames {
  Place place;
  std::vector<Place> callSites; ///< outermost first
};
Frames framesOf(const llvm::DILocation *location, const Names &names);

} // namespace warplint
