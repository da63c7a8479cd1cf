// The text of a project's files to the numbers that its calls pass.
//
// Works on tokens, so that it reads C, C++ and CUDA without the flags of a
// build. What it cannot follow passes an unknown.
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warplint {

/// A function without its scopes. Overloads with as many parameters are one.
struct CalledFunction {
  std::string name;
  unsigned parameters = 0;
  std::string source; ///< the file whose calls are seen already, and left out
  auto operator<=>(const CalledFunction &) const = default;
};

struct WrittenCalls {
  /// What each call passes, by parameter: a whole number that is written there
  /// or that the same file gives the name of (a constant, a macro), or nothing
  /// for all else and for arguments by default.
  std::set<std::vector<std::optional<uint64_t>>> passed;
  /// It is named without being called, as in a table of functions: who calls it
  /// with what is not seen.
  bool isNamed = false;
};

using CallsByFunction = std::map<CalledFunction, WrittenCalls>;

/// Finds calls of the functions that a map has, and adds them to it. The map
/// must outlive the search and get no other function meanwhile.
class CallSearch {
public:
  explicit CallSearch(CallsByFunction &into);

  /// Adds the calls in a text, those in macros as well. `text` must end in a
  /// null. Several threads may search at once.
  void addCallsIn(llvm::StringRef text, llvm::StringRef file = "");

private:
  const llvm::StringSet<> names_;
  std::mutex mutex_; // guards `into_`
  CallsByFunction &into_;
};

} // namespace warplint
