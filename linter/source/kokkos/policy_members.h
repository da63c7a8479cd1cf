// Replaces loads of policy members in kernels' IR by constants: an index that
// begins at 0 does not change the alignment to sectors.
#pragma once
#include "source/kokkos/read_kokkos.h"

namespace warplint {

/// Sets the begins of ranges and the sizes of tiles in which all dispatches of
/// a kernel agree. Expects a normalised `emitted.module`.
void fixPolicies(const Emitted &emitted,
                 llvm::ArrayRef<KokkosReader::Dispatch> dispatches,
                 clang::ASTContext &context);

} // namespace warplint
