// Where something stands in the source.
#pragma once
#include <compare>
#include <string>

namespace warplint {

struct Place {
  std::string file; ///< absolute path
  unsigned line = 0, column = 0;
  auto operator<=>(const Place &) const = default;
};

} // namespace warplint
