// A number and a noun to words.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace warplint {

/// "kernel" or "kernels", "address" or "addresses".
inline std::string plural(bool isOne, llvm::StringRef noun) {
  return noun.str() + (isOne ? "" : noun.ends_with("s") ? "es" : "s");
}

/// "1 kernel", "3 kernels".
inline std::string counted(uint64_t number, llvm::StringRef noun) {
  return std::to_string(number) + " " + plural(number == 1, noun);
}

} // namespace warplint
