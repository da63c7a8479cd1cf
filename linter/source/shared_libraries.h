// The library headers that the sources of a project read again and again, and
// the sets of them that are precompiled.
#pragma once
#include "cache/store.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace warplint {

/// "thrust/sort.h", as the source spells it.
using HeaderNames = std::vector<std::string>;

/// A line with `#include <...>` for each name, and back.
std::string directivesOf(const HeaderNames &names);
HeaderNames namesOf(llvm::StringRef directives);

/// "thrust" of "thrust/sort.h".
inline llvm::StringRef libraryOf(llvm::StringRef header) {
  return header.split('/').first;
}

struct HeaderBytes {
  std::string name;
  uint64_t bytes; ///< of all files that were read for it before for others
};

/// What is known from one source to the next.
struct SharedLibrariesRecord {
  std::vector<HeaderNames> sets; ///< precompiled or to be, the oldest first
  std::vector<std::vector<HeaderBytes>> read; ///< by source, the last ones
};

/// Those of all sources with the same flags, kept on disk.
///
/// Sources of a project seldom include the same headers, but most those of the
/// same libraries, and each header of one reads much of what the others read:
/// any of Thrust's 8 MB of some 10. So a set serves all sources that include
/// headers of its libraries, "thrust" of "thrust/sort.h".
class SharedLibraries {
public:
  /// `key`: of all that a precompiled header depends on but its headers.
  SharedLibraries(const Store &kept, const Key &key);

  /// False before the first set and before anything was read or expected.
  bool isKnown() const { return isKnown_; }

  /// The sets that are precompiled or to be, and whose libraries are all among
  /// those of `names`; the one with most headers first.
  std::vector<HeaderNames> setsOf(llvm::ArrayRef<std::string> names) const;

  /// What an earlier source read of the libraries of `names`, less those of
  /// `made`; empty if to read it again takes less time than to precompile it,
  /// or if there are enough sets.
  HeaderNames worthMaking(llvm::ArrayRef<std::string> names,
                          const HeaderNames &made) const;

  /// Adds a set that is to be precompiled.
  void want(const HeaderNames &set);

  /// Notes what sources are going to read, before the first one is.
  void expect(std::vector<HeaderBytes> headers);

  /// Notes what a source read outside its precompiled header.
  void wereRead(std::vector<HeaderBytes> headers);

private:
  void put() const;

  Store kept_;
  std::string key_;
  SharedLibrariesRecord record_;
  bool isKnown_ = false;
};

} // namespace warplint
