// The bytes of a stream to the messages in it: JSON behind a header that says
// how long it is (Language Server Protocol 3.17, base protocol).
#pragma once
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>

namespace warplint {

class Messages {
public:
  /// For more bytes, in any pieces, to be appended to.
  std::string &bytes() { return bytes_; }

  /// The next whole message, or what is wrong with it; none until more bytes
  /// come. What is wrong is left behind, so that a good one may follow.
  std::optional<llvm::Expected<llvm::json::Value>> next();

private:
  std::string bytes_;
};

} // namespace warplint
