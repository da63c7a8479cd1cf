// What nvcc's macros decide in the files of a source: a place that they do not
// decide is the same with them and without.
#pragma once
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringRef.h"
#include <set>
#include <string>
#include <vector>

namespace warplint {

/// The conditionals of texts that are read one after the other. One whose
/// branches hold nothing but pragmas decides nothing.
class NvccConditions {
public:
  /// `names`: macros that nvcc's decide, in other files.
  explicit NvccConditions(std::set<std::string> names = {})
      : names_(std::move(names)) {}

  /// Reads the next text, whole or up to a place.
  void read(llvm::StringRef text);

  /// Returns true if they decide whether what follows is compiled. A file that
  /// is included in such a branch may define any macro.
  bool decideWhatFollows() const {
    return includes_ || (!open_.empty() && open_.back());
  }
  /// Returns true if they decide on any code, #error, macro or included file.
  bool decideAnything() const { return includes_ || code_ || !names_.empty(); }
  /// The macros that they decide.
  const std::set<std::string> &names() const { return names_; }

private:
  bool asks(llvm::ArrayRef<llvm::StringRef> words) const;
  void readDirective(llvm::ArrayRef<llvm::StringRef> words);

  std::set<std::string> names_;
  std::vector<bool> open_; ///< for each conditional around the place: asks
  bool includes_ = false, code_ = false; ///< in a conditional that asks
};

/// Returns true if they decide whether the place is compiled: in its file, or
/// in one that leads to it by `#include`.
bool nvccDecides(const clang::SourceManager &sources,
                 clang::SourceLocation place);

/// Returns true if they decide on anything in the files of the user's that were
/// read so far, outside of a precompiled header.
bool nvccDecidesInUsersFiles(const clang::SourceManager &sources);

} // namespace warplint
