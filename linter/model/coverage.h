// How many of the memory expressions in a kernel's source have an access in the
// model, and why the others have none.
#pragma once
#include "model/place.h"
#include <map>
#include <string>
#include <vector>

namespace warplint {

/// Counts an expression once for each call chain that reaches it.
struct Coverage {
  struct Example {
    Place place;
    std::string text;
  };
  struct Reason {
    uint64_t count = 0;
    Example first;
  };
  uint64_t expressions = 0;
  uint64_t withAccess = 0;
  std::map<std::string, Reason> without; ///< by reason's text
  std::vector<Example> unexplained;      ///< no access and no reason
  /// Accesses at a place in the user's code where the source has no memory
  /// expression.
  std::vector<Example> withoutExpression;
};

} // namespace warplint
