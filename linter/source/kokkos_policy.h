// A Kokkos execution policy to the block that its kernel is launched with.
#pragma once
#include "source/launch_reader.h"
#include "clang/AST/DeclTemplate.h"

namespace warplint {

/// What is launched, by the names of the backend's classes.
enum class KokkosPattern { For, Reduce, Scan };

/// Threads of a block, as far as they are constant, of the CUDA backend for a
/// policy of this type. `written` is the policy as it was given to the dispatch
/// (an integer stands for a range), null if none was seen.
std::array<std::optional<uint64_t>, 3>
kokkosBlock(KokkosPattern pattern, const clang::CXXRecordDecl *policy,
            const clang::Expr *written, const clang::FunctionDecl *inside,
            LaunchReader &values, clang::ASTContext &context);

} // namespace warplint
