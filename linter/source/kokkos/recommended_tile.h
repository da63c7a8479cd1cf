// The tile that Kokkos gives a range without one, from 5.1 on, as its headers
// say it.
#pragma once
#include "clang/AST/ASTContext.h"
#include <cstdint>
#include <vector>

namespace warplint {

/// The declaration in Kokkos::Impl with this name; null if there is none.
const clang::NamedDecl *inKokkosImpl(llvm::StringRef name,
                                     clang::ASTContext &context);

/// Reads Impl::TileSizeRecommended<Cuda>::get. `isRight`: the last index runs
/// fastest. Empty if this release has none, or if it is written in another way.
std::vector<uint64_t> recommendedTile(unsigned rank, bool isRight,
                                      clang::ASTContext &context);

} // namespace warplint
