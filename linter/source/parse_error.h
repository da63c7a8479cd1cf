// An error of Clang's.
#pragma once
#include <string>

namespace warplint {

struct ParseError {
  std::string file; ///< as Clang spells it; empty if there is no place
  unsigned line = 0, column = 0;
  std::string text;
};

} // namespace warplint
