// Splits a byte stream into messages: JSON after a header with its length
// (Language Server Protocol 3.17, base protocol).
#pragma once
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>

namespace warplint {

class Messages {
public:
  /// Append received bytes here, in pieces of any size.
  std::string &bytes() { return bytes_; }

  /// The next complete message, or an error; empty until more bytes arrive. An
  /// error consumes the bad bytes, so that a good message may follow.
  std::optional<llvm::Expected<llvm::json::Value>> next();

private:
  std::string bytes_;
};

} // namespace warplint
