// Which precompiled headers a source is parsed with, and when one is made.
#pragma once
#include "input/library_includes.h"
#include "source/parse_request.h"
#include "source/parsed_before.h"
#include "source/parsed_source.h"
#include "source/precompiled_header.h"
#include "source/shared_libraries.h"
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warplint {

/// Returns all but the flags that a precompiled header depends on: releases,
/// our own headers, what it includes.
std::string versionOfHeader(const std::string &libraries);

/// What a parse continues from with the precompiled header `file`.
ParsedBefore continuing(const std::string &file, const std::string &libraries);

/// Returns true if one of these macros, which a source defines before the
/// libraries that a precompiled header holds, is a word of it.
bool mayBeChanged(const ParseRequest &request, const ParsedBefore &header,
                  const std::set<std::string> &macros);

struct UsableHeader {
  ParsedBefore before;
  HeaderNames lacks; ///< of the source's, that one could hold as well
};

/// Those of one source. `attempt`: the flags of the attempt that uses them.
class HeaderChoice {
public:
  enum class Limit { None, WithoutLibraries, All };

  explicit HeaderChoice(const ParseRequest &request)
      : request_(request), here_(request.kept.folder()) {}

  /// Returns the usable ones, the most complete one first. Makes those that are
  /// worth it.
  std::vector<UsableHeader> usable(const std::vector<std::string> &attempt,
                                   bool mayMake = true);

  /// Notes which of these library headers the source has read: a later source
  /// that reads them too gets them precompiled, if that is worth its time.
  void wereRead(const std::vector<std::string> &attempt,
                const HeaderNames &headers, const ParsedSource &parsed) const;

  /// Returns true if nothing is known yet of the libraries that the sources with
  /// these flags use.
  bool isNew(const std::vector<std::string> &attempt) const {
    return request_.kept.isEnabled() && !shared(attempt).isKnown();
  }

  /// Notes that several sources are read next with these flags, and what most
  /// of them will read of libraries: nothing that is worth precompiling, if it
  /// is empty.
  void expect(const std::vector<std::string> &attempt,
              std::vector<HeaderBytes> libraries) const;

  /// Returns true if the source's macros may change the libraries of `header`:
  /// it is read without precompiled libraries from then on.
  bool excludeIfChanged(const std::vector<std::string> &attempt,
                     const ParsedBefore &header, const ParsedSource &parsed);

  /// Returns the file of the one with these libraries, as far as it was made.
  std::string cached(const std::vector<std::string> &attempt,
                     const std::string &libraries) const;

  /// Its names may conflict with the source's: uses no more than this.
  void setLimit(Limit limit) { limit_ = limit; }
  Limit limit() const { return limit_; }

private:
  bool isWorthPrecompiling(const std::vector<std::string> &attempt);
  HeaderNames librariesBehind(llvm::StringRef base);
  std::optional<UsableHeader>
  withLibraries(const std::vector<std::string> &attempt,
                const HeaderNames &names, bool mayMake);
  SharedLibraries shared(const std::vector<std::string> &attempt) const;
  Key key(llvm::StringRef kind, const std::vector<std::string> &attempt) const;
  std::string changesKey(const std::vector<std::string> &attempt) const;
  PrecompiledHeaderRequest anyOf(const std::vector<std::string> &attempt) const;
  PrecompiledHeaderRequest
  headerRequest(const std::vector<std::string> &attempt,
                const std::string &libraries) const;
  std::string find(const PrecompiledHeaderRequest &header,
                   const std::string &libraries, bool mayMake) const;

  const ParseRequest &request_;
  const Store here_; ///< precompiled headers are of no use to other machines
  Limit limit_ = Limit::All;
  /// By attempt: another source was read with it before this one.
  std::map<std::vector<std::string>, bool> isSecond_;
  std::optional<HeaderNames> libraries_; ///< that the source includes
};

} // namespace warplint
