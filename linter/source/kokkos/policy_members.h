// Kernels' IR to the same IR with what their policies hold as constants: an
// index that begins at 0 moves nothing out of its sector.
#pragma once
#include "source/kokkos/read_kokkos.h"

namespace warplint {

/// Where ranges begin, and the sizes of tiles, in which all dispatches of a
/// kernel agree. Expects that `emitted.module` was normalised.
void fixPolicies(const Emitted &emitted,
                 llvm::ArrayRef<KokkosReader::Dispatch> dispatches,
                 clang::ASTContext &context);

} // namespace warplint
