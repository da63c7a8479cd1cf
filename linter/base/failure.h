// A sentence to an error that holds it.
#pragma once
#include "llvm/Support/Error.h"

namespace warplint {

/// Unlike `llvm::createStringError`, takes no part of the text for a format.
inline llvm::Error failure(const llvm::Twine &sentence) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), sentence);
}

} // namespace warplint
