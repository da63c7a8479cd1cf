// A store that a team shares, on a server that answers GET and takes PUT, as
// the caches of ccache and Bazel do.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace warplint {

/// For any number of threads. A server that cannot be reached is told of once,
/// on standard error, and is not asked again by this process.
class Remote {
public:
  /// "https://cache.example.org/warplint"; a user and password may be in it, or
  /// in ~/.netrc.
  explicit Remote(std::string url) : url_(std::move(url)) {}

  std::optional<std::string> get(llvm::StringRef name) const;
  void put(llvm::StringRef name, llvm::StringRef bytes) const;

private:
  std::string url_;
};

} // namespace warplint
