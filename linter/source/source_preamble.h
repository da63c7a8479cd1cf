// The preamble of one source: found in its text, made if enough texts followed
// it, and noted when the source was read without it.
#pragma once
#include "source/header_choice.h"
#include "source/parse_request.h"
#include "source/parsed_before.h"
#include "source/parsed_source.h"
#include "source/preamble.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warplint {

class SourcePreamble {
public:
  /// Returns nothing if the source has no directives before its first
  /// declaration, or if the headers that it reads are not those on disk.
  static std::optional<SourcePreamble>
  of(const ParseRequest &request, const std::vector<std::string> &attempt);

  /// Returns it as Clang continues from it; nothing if it is not made. Makes it
  /// now, behind one of `headers`, if that is worth its time.
  std::optional<ParsedBefore> made(HeaderChoice &headers);

  /// Absolute paths of the files that it stands for.
  const std::vector<std::string> &asked() const { return kept_.asked(); }

  /// Returns true if reading its headers again costs more than a look for it.
  static bool isWorthKeeping(const ParsedSource &parsed);

  /// Notes that the source was read without it and without an error.
  void wasRead(const ParsedSource &parsed);

  /// Removes one that cannot be used.
  void drop() { kept_.drop(); }

private:
  SourcePreamble(const ParseRequest &request,
                 std::unique_ptr<llvm::MemoryBuffer> source,
                 clang::PreambleBounds bounds, TextForClang directives,
                 std::vector<std::string> attempt, const Key &key)
      : request_(request), source_(std::move(source)), bounds_(bounds),
        directives_(std::move(directives)), attempt_(std::move(attempt)),
        key_(key), kept_(request.kept, key) {}

  void make(HeaderChoice &headers);
  bool makeBehind(const ParsedBefore &base);
  std::vector<std::string> withoutOwn(const std::set<std::string> &asked) const;
  bool isProjects(llvm::StringRef file) const;

  const ParseRequest &request_;
  std::unique_ptr<llvm::MemoryBuffer> source_; ///< its whole text
  clang::PreambleBounds bounds_;
  TextForClang directives_; ///< under the path of a file that is nowhere
  std::vector<std::string> attempt_; ///< the flags of the attempt
  Key key_;
  Preamble kept_;
};

} // namespace warplint
