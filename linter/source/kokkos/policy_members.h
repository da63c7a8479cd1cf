// Replaces loads of policy members in kernels' IR by constants: an index that
// begins at 0 does not change the alignment to sectors.
#pragma once
#include "source/kokkos/read_kokkos.h"

namespace warplint {

/// Returns by kernel what all its dispatches agree in: the begins of ranges and
/// the sizes of tiles.
std::map<std::string, KokkosPolicy>
agreedPolicies(llvm::ArrayRef<KokkosReader::Dispatch> dispatches);

/// Sets them in a normalised kernel of this declaration.
void fixPolicy(llvm::Function &kernel, const clang::FunctionDecl &decl,
               const KokkosPolicy &policy);

} // namespace warplint
