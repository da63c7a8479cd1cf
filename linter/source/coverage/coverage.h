// Says what became of the memory expressions of a kernel's source: how many
// have an access in the model, and why the others have none.
#pragma once
#include "model/place.h"
#include <map>
#include <string>
#include <vector>

namespace warplint {

/// An expression counts once for each chain of calls by which the kernel
/// reaches it.
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
  std::map<std::string, Reason> without; ///< explained, by the reason
  std::vector<Example> unexplained;      ///< neither an access nor a reason
  /// Accesses at a place in the user's code where the source touches no memory.
  std::vector<Example> withoutExpression;
};

} // namespace warplint
