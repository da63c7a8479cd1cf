// Parses a source with one set of flags, and again as long as its errors name
// what Clang wants written otherwise than nvcc: keywords, attributes, classes
// that are constructed in shared memory.
#pragma once
#include "source/header_choice.h"
#include "source/parse_once.h"
#include "source/parse_request.h"
#include "source/source_preamble.h"
#include "llvm/Support/Error.h"
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warplint {

/// The attempts at one source. Each begins with what those before it found.
class AttemptParser {
public:
  explicit AttemptParser(const ParseRequest &request)
      : request_(request), headers_(request) {}

  /// Returns the parse with the fewest errors. `flags`: those of the attempt.
  /// One with `fewestErrors`, as another attempt has, may be left before its
  /// end. Fails if there is no AST.
  llvm::Expected<std::unique_ptr<ParsedSource>>
  parse(const std::vector<std::string> &flags,
        size_t fewestErrors = std::numeric_limits<size_t>::max());

  /// Notes a source without errors for its preamble, which is made if it is
  /// read again with other text behind it.
  void noteClean(const std::vector<std::string> &flags,
                 const ParsedSource &parsed);

  /// Absolute paths of all files that any parse read or looked for.
  const std::set<std::string> &asked() const { return asked_; }

private:
  using Result = llvm::Expected<std::unique_ptr<ParsedSource>>;

  Result parseWithSpaces(const std::vector<std::string> &flags);
  Result parseWithKeywords(const std::vector<std::string> &flags);
  void addKeywords(const std::string &file, const KeywordsInFile &keywords);
  Result parseWithConstructors(const std::vector<std::string> &flags);
  Result parseWithHeaders(const std::vector<std::string> &flags);
  std::optional<SourcePreamble>
  preambleOf(const std::vector<std::string> &flags) const;
  std::unique_ptr<ParsedSource>
  parseAfterPreamble(const std::vector<std::string> &flags);
  Result parseOnce(const std::vector<std::string> &flags,
                   const ParsedBefore &before);

  const ParseRequest &request_;
  HeaderChoice headers_;
  ChangesForClang changes_;
  size_t fewestErrors_ = std::numeric_limits<size_t>::max();
  bool mayParseLate_ = true;
  bool mayDropUnused_ = true;
  bool usesPreamble_ = false; ///< in one of the parses
  std::set<std::string> asked_;
};

} // namespace warplint
