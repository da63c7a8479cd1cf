// One run of Clang's parser over the device side of a source. What nvcc accepts
// and Clang does not is known from earlier runs, or is found by this one.
#pragma once
#include "source/execution_space.h"
#include "source/parse_request.h"
#include "source/parsed_before.h"
#include "source/parsed_source.h"
#include "llvm/Support/Error.h"
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace warplint {

/// What Clang is to read otherwise than it is written.
struct ChangesForClang {
  Buffers withKeywords; ///< files with the keywords that Clang misses
  MissingSpaces missingSpaces;
  std::set<std::string> inShared; ///< classes of variables in shared memory

  bool any() const {
    return !withKeywords.empty() || !missingSpaces.empty() || !inShared.empty();
  }
};

struct ParseOptions {
  std::vector<std::string> flags; ///< the user's, and those of the attempt
  /// The bodies of a library's device functions are parsed only if the source
  /// uses them.
  bool mayParseLate = true;
  /// Declarations of a library that nothing in the source refers to are left
  /// out.
  bool mayDropUnused = true;
  /// Of another run: one that has as many errors is not read to its end.
  size_t fewestErrors = std::numeric_limits<size_t>::max();
};

/// Fails if there is no AST. Adds the absolute paths of all files that were
/// read or looked for to `asked`, also then. The result refers to `changes`.
llvm::Expected<std::unique_ptr<ParsedSource>>
parseOnce(const ParseRequest &request, const ParseOptions &options,
          const ParsedBefore &before, const ChangesForClang &changes,
          std::set<std::string> &asked);

} // namespace warplint
