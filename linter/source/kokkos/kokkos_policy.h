// A Kokkos execution policy to the block that its kernel is launched with, and
// to what its indexes run over.
#pragma once
#include "source/launch_reader.h"
#include "clang/AST/DeclTemplate.h"

namespace warplint {

/// What is launched, by the names of the backend's classes.
enum class KokkosPattern { For, Reduce, Scan };

/// What is constant of a policy, as the CUDA backend carries it out.
struct KokkosPolicy {
  std::array<std::optional<uint64_t>, 3> block; ///< threads
  /// By index, of a range over one or several; empty of a team, or if nothing
  /// is known.
  std::vector<std::optional<uint64_t>> begin, end, tile;
  bool isTileGiven = false; ///< else the library chooses it
};

/// Of a policy of this type. `written` is the policy as it was given to the
/// dispatch (an integer stands for a range), null if none was seen.
KokkosPolicy readPolicy(KokkosPattern pattern,
                        const clang::CXXRecordDecl *policy,
                        const clang::Expr *written,
                        const clang::FunctionDecl *inside, LaunchReader &values,
                        clang::ASTContext &context);

} // namespace warplint
