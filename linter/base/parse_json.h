// JSON text to its value. The only way from text to JSON: LLVM's parser calls
// itself for each level, and hostile text has as many as it likes.
#pragma once
#include "llvm/Support/JSON.h"

namespace warplint {

/// Fails if the text is no JSON, or has arrays and objects nested deeper than
/// any document that warplint reads.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text);

} // namespace warplint
