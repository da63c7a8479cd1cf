// "did you mean": a misspelt word to the known word that was meant.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace warplint {

/// The candidate that `word` most likely stands for, else empty. Near is an
/// edit distance of at most a third of the word's length, upper and lower case
/// being the same; failing that, the one candidate that `word` is a part of.
std::string nearest(llvm::StringRef word,
                    llvm::ArrayRef<std::string> candidates);

} // namespace warplint
