// "did you mean".
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace warplint {

/// The candidate nearest to `word` if one is near enough, else empty.
std::string nearest(llvm::StringRef word,
                    llvm::ArrayRef<std::string> candidates);

} // namespace warplint
