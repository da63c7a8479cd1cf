// Numbers and text as fields of a list.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>

namespace warplint {

/// "16", "3.94": at most two decimals.
std::string shortNumber(double value);

/// Paths and a compiler's words may hold any bytes, reports must not: what is
/// no UTF-8 becomes U+FFFD.
std::string utf8(llvm::StringRef text);

/// For text and attributes of HTML and XML: `&lt;`, and U+FFFD for what is no
/// character of XML.
std::string markupEscaped(llvm::StringRef text);

/// Quoted as in RFC 4180 where the text needs it.
std::string csvField(llvm::StringRef text);

} // namespace warplint
