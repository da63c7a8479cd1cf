// Parts of a sentence to a list.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include <string>

namespace warplint {

/// "a", "a and b", "a, b and c"; there is at least one part.
inline std::string listed(llvm::ArrayRef<std::string> parts) {
  const std::string all = llvm::join(parts.drop_back(), ", ");
  return all.empty() ? parts.back() : all + " and " + parts.back();
}

} // namespace warplint
