// The text of a source to its code and its comments, with their places.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warplint {

struct SourceComment {
  size_t begin, end;    ///< bytes of the whole text
  llvm::StringRef text; ///< with its slashes and stars
};

class SourceText {
public:
  /// `text` must live as long as this.
  explicit SourceText(llvm::StringRef text);

  /// The text with blanks for comments and the contents of literals; it has the
  /// same length.
  const std::string &code() const { return code_; }
  const std::vector<SourceComment> &comments() const { return comments_; }

  /// Lines and columns count from 1.
  unsigned lineOf(size_t byte) const;
  unsigned columnOf(size_t byte) const;
  size_t
  startOf(unsigned line) const; ///< the text's size for lines after the last
  bool hasCode(unsigned line) const;
  unsigned lines() const { return starts_.size(); }

private:
  llvm::StringRef text_;
  std::string code_;
  std::vector<SourceComment> comments_;
  std::vector<size_t> starts_;
};

} // namespace warplint
