// What Clang could not make sense of.
#pragma once
#include <string>

namespace warplint {

struct ParseError {
  std::string file; ///< as Clang names it; empty if it has no place
  unsigned line = 0, column = 0;
  std::string text;
};

} // namespace warplint
