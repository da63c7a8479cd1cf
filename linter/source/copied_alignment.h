// Gives copies of structures in generated device IR the alignment that nvcc
// takes them to have.
#pragma once
#include "source/emit.h"

namespace warplint {

/// Raises the alignment of both sides of each copy that the source writes as an
/// assignment or as an initialiser to that of its type. In
/// `*(float4 *)&tile[i] = v`, Clang knows the alignment of `tile` and keeps to
/// it; nvcc trusts the cast, and moves 16 bytes at once.
void alignCopies(Emitted &emitted);

} // namespace warplint
