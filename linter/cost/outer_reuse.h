// Finds what the outer loops around a load find in a cache: "for each centre,
// for each dimension: feature[d * n + i]" loads the same features for each
// centre. So does one that moves on by less than a sector each time.
#pragma once
#include "cost/frequency.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace warplint {

struct ShapeCosts;

/// How often a load goes over its memory while L1, or L2, holds it; 1: never
/// again.
struct OuterReuse {
  double inL1 = 1, inL2 = 1;
};

/// How many bytes an access's address moves from the first iteration of a loop
/// to the second; no value if only the run knows.
using AddressStep =
    llvm::function_ref<std::optional<double>(unsigned access, LoopId loop)>;

/// By access. `isNew` is the part of each access's sectors that its innermost
/// loop and its block do not have yet. An SM executes `warps` at once, and so
/// do `multiprocessors` of them.
std::vector<OuterReuse>
outerReuse(const Kernel &kernel, const ShapeCosts &costs,
           Frequencies &frequencies, llvm::ArrayRef<double> isNew,
           AddressStep step, double warps, double multiprocessors);

} // namespace warplint
