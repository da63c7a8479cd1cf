// Numbers and text as fields of a list.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>

namespace warplint {

/// "16", "3.94": at most two decimals.
std::string shortNumber(double value);

/// Quoted as in RFC 4180 where the text needs it.
std::string csvField(llvm::StringRef text);

} // namespace warplint
