// A position in the source.
#pragma once
#include <compare>
#include <string>

namespace warplint {

struct Place {
  std::string file; ///< absolute path
  unsigned line = 0, column = 0;
  auto operator<=>(const Place &) const = default;
};

/// Returns true if both name one line of one file. Compares base names alone:
/// line tables name files as the compiler was given them.
bool sameLine(const Place &a, const Place &b);

} // namespace warplint
