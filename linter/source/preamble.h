// The preamble of a source: its directives before its first declaration, with
// all that they include, the project's own headers too. It is kept in Clang's
// parsed form for a source that is changed again and again while its headers
// stay as they are, in an editor or from one commit to the next, and for
// sources of one folder that begin alike.
#pragma once
#include "cache/store.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warplint {

/// A preamble in Clang's parsed form.
struct MadePreamble {
  std::string file;
  /// The precompiled header that it continues: its file, and its include
  /// directives beyond those for all sources.
  std::string base, libraries;
  /// What the user's headers declare, in order: Clang's numbers in `file`.
  std::vector<uint64_t> declarations;
  /// Which of its source locations' entries are files: most are macros, and to
  /// load them all takes as long as to parse a small source.
  std::vector<uint32_t> files;
};

/// What is known of a preamble from one run to the next.
struct PreambleRecord {
  /// Absolute paths of the files that it read or looked for, less those in its
  /// base. Before it is made, those of the project that the source asked for.
  std::vector<std::string> asked;
  std::string state; ///< of those files
  std::string text;  ///< hash of the source that was read last
  /// Number of other texts that followed it since.
  unsigned changes = 0;
  std::optional<MadePreamble> made;
};

class Preamble {
public:
  /// `key`: of the sources' folder, their flags, and the preamble's own text.
  Preamble(const Store &kept, const Key &key);

  /// The one that was made, if none of its files has changed since. Those of
  /// its base are for Clang to compare.
  const MadePreamble *made() const {
    return record_.made ? &*record_.made : nullptr;
  }

  /// The files that it stands for.
  const std::vector<std::string> &asked() const { return record_.asked; }

  /// True if it is worth making: it was read with three texts while its files
  /// stayed. A header that changes, or a source that is read once, would make
  /// one for nothing.
  bool isWorthMaking() const;

  /// Where to make it. One machine's: never sent to another.
  std::string file() const;

  /// Keeps what was made of the files `asked`.
  void keep(MadePreamble made, std::vector<std::string> asked);

  /// To be called when a source was read without it. `asked` are the project's
  /// other files that it read or looked for.
  void wasRead(llvm::StringRef source, llvm::StringRef text,
               std::vector<std::string> asked);

  /// Removes one that cannot be used.
  void drop();

private:
  void put();

  Store kept_;
  std::string key_;
  PreambleRecord record_;
};

} // namespace warplint
