// Reads a Kokkos execution policy: the block that its kernel is launched with,
// and the range of its indexes.
#pragma once
#include "source/launch_reader.h"
#include "clang/AST/DeclTemplate.h"

namespace warplint {

/// The launch pattern, by the names of the backend's classes.
enum class KokkosPattern { For, Reduce, Scan };

/// The constant parts of a policy, as the CUDA backend applies it.
struct KokkosPolicy {
  std::array<std::optional<uint64_t>, 3> block; ///< threads
  /// By index of the range; empty for a team, or if unknown.
  std::vector<std::optional<uint64_t>> begin, end, tile;
  bool isTileGiven = false; ///< otherwise the library chooses it
  bool isTurned = false;    ///< the last index is along x, the first along z
};

/// Reads a policy of this type. `written` is the dispatch's policy argument (an
/// integer stands for a range); null if none was seen.
KokkosPolicy readPolicy(KokkosPattern pattern,
                        const clang::CXXRecordDecl *policy,
                        const clang::Expr *written,
                        const clang::FunctionDecl *inside, LaunchReader &values,
                        clang::ASTContext &context);

} // namespace warplint
