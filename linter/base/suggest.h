// A misspelt word to the known word that it most likely stands for.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace warplint {

/// The candidate at the least edit distance from `word`, ignoring case, if that
/// is at most a third of the word's length; else the only candidate that
/// contains `word`; else empty.
std::string nearest(llvm::StringRef word,
                    llvm::ArrayRef<std::string> candidates);

/// "; did you mean 'nearest'?"; empty if `nearest` is.
std::string didYouMean(llvm::StringRef nearest);

} // namespace warplint
