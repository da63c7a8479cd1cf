// The mark of the comments in sources that address warplint. Both reading a
// source and judging its findings ask for it.
#pragma once
#include "llvm/ADT/StringRef.h"

namespace warplint {

/// The beginning of an allowance.
inline constexpr llvm::StringLiteral allowanceMarker = "warplint:";

inline bool hasAllowanceMarker(llvm::StringRef text) {
  return text.contains(allowanceMarker);
}

} // namespace warplint
