// What is known of a kernel's memory expressions as the source has them: how
// many have their access in the model, and why the others have none.
#pragma once
#include "model/place.h"
#include <map>
#include <string>
#include <vector>

namespace warplint {

/// An expression is counted once for each chain of calls through which the
/// kernel gets to it.
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
  std::map<std::string, Reason> without; ///< by what it is
  std::vector<Example> unexplained;      ///< no access and no reason
  /// The other way round: accesses at a place of the user's at which the source
  /// touches no memory.
  std::vector<Example> withoutExpression;
};

} // namespace warplint
