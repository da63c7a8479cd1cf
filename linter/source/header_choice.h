// Which precompiled headers a source is parsed with, and when one is made.
#pragma once
#include "input/library_includes.h"
#include "source/parse_request.h"
#include "source/parsed_before.h"
#include "source/parsed_source.h"
#include "source/precompiled_header.h"
#include <optional>
#include <string>
#include <vector>

namespace warplint {

/// Returns all but the flags that a precompiled header depends on: releases,
/// our own headers, what it includes.
std::string versionOfHeader(const std::string &libraries);

/// What a parse continues from with the precompiled header `file`.
ParsedBefore continuing(const std::string &file, const std::string &libraries);

struct UsableHeader {
  ParsedBefore before;
  /// Include directives of the source that it could hold as well.
  std::string lacks;
};

/// Those of one source. `attempt`: the flags of the attempt that uses them.
class HeaderChoice {
public:
  enum class Limit { None, WithoutLibraries, All };

  explicit HeaderChoice(const ParseRequest &request) : request_(request) {}

  /// Returns the usable ones, the most complete one first. Makes those that are
  /// worth it.
  std::vector<UsableHeader> usable(const std::vector<std::string> &attempt,
                                   bool mayMake = true);

  /// Records that the next source which begins like this one is to have a
  /// precompiled header of these libraries, if that is worth its time.
  void want(const std::vector<std::string> &attempt,
            const std::string &libraries, const ParsedSource &parsed) const;

  /// Returns the file of the one with these libraries, as far as it was made.
  std::string cached(const std::vector<std::string> &attempt,
                     const std::string &libraries) const;

  /// Its names may conflict with the source's: uses no more than this.
  void setLimit(Limit limit) { limit_ = limit; }
  Limit limit() const { return limit_; }

private:
  struct Libraries {
    std::string directives;
    /// The user's macros defined before the last of these includes. Headers in
    /// the base are parsed before any macro, so they cannot change.
    std::vector<std::string> macrosBefore;
  };

  bool isWorthPrecompiling();
  Libraries librariesBehind(llvm::StringRef base);
  PrecompiledHeaderRequest
  headerRequest(const std::vector<std::string> &attempt,
                const std::string &libraries) const;
  std::string find(const PrecompiledHeaderRequest &header,
                   const std::string &libraries, bool mayMake) const;

  const ParseRequest &request_;
  Limit limit_ = Limit::All;
  std::optional<bool> isSecond_; ///< not the first source that is read
  std::optional<LibraryIncludes> libraries_; ///< of the source
};

} // namespace warplint
