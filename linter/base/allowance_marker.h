// Sources that speak to this program.
#pragma once
#include "llvm/ADT/StringRef.h"

namespace warplint {

/// What everything begins with that a source says to us: the allowances.
inline constexpr llvm::StringLiteral allowanceMarker = "warplint:";

inline bool hasAllowanceMarker(llvm::StringRef text) {
  return text.contains(allowanceMarker);
}

} // namespace warplint
