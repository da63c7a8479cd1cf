// A cache that a team shares, on a server that supports GET and PUT, as the
// remote caches of ccache and Bazel do.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace warplint {

/// Thread-safe. If the server fails, prints one message to standard error and
/// sends no more requests in this process.
class Remote {
public:
  /// "https://cache.example.org/warplint"; user and password may stand in it or
  /// in ~/.netrc.
  explicit Remote(std::string url) : url_(std::move(url)) {}

  std::optional<std::string> get(llvm::StringRef name) const;
  void put(llvm::StringRef name, llvm::StringRef bytes) const;

private:
  std::string url_;
};

} // namespace warplint
