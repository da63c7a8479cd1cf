// Formats text as fields of CSV, JSON, HTML and XML.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>

namespace warplint {

/// Replaces bytes that are not UTF-8 by U+FFFD: paths and compiler messages may
/// hold any bytes, reports must not.
std::string utf8(llvm::StringRef text);

/// Escapes text and attributes of HTML and XML (`&lt;`); characters that XML
/// does not allow become U+FFFD.
std::string markupEscaped(llvm::StringRef text);

/// Quotes the text as in RFC 4180 where it needs quotes.
std::string csvField(llvm::StringRef text);

} // namespace warplint
