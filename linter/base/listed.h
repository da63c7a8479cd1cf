// Parts of a sentence to a list.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include <string>
#include <vector>

namespace warplint {

/// "a", "a and b", "a, b and c"; there is at least one part.
inline std::string listed(llvm::ArrayRef<std::string> parts) {
  const std::string all = llvm::join(parts.drop_back(), ", ");
  return all.empty() ? parts.back() : all + " and " + parts.back();
}

/// "a, b and 3 more", of which `more` are not among the parts; 0: none.
inline std::string listed(std::vector<std::string> parts, size_t more) {
  if (more)
    parts.push_back(std::to_string(more) + " more");
  return listed(parts);
}

} // namespace warplint
