// The text of a source to what its statements assign, by place.
#pragma once
#include "input/statement_reader.h"

namespace warplint {

class SourceStatements {
public:
  explicit SourceStatements(llvm::StringRef text);

  /// The innermost statement at a place; null if there is none.
  const SourceStatement *at(unsigned line, unsigned column) const;
  /// The innermost loop around a place; null if there is none.
  const SourceStatement *loopAround(unsigned line, unsigned column) const;
  /// The line where a statement begins.
  unsigned lineOf(const SourceStatement &statement) const {
    return lineOf(statement.begin);
  }
  /// The line where the body of a loop or `if` ends.
  unsigned lastLineOf(const SourceStatement &head) const {
    return lineOf(head.bodyEnd ? head.bodyEnd - 1 : head.begin);
  }
  /// True if a counter of the loop is in a subscript of `array` in its body.
  bool countsElements(const SourceStatement &loop, llvm::StringRef array) const;
  /// The variables that the statements under an `if` assign, each once; without
  /// its `else`.
  std::vector<std::string> assignedUnder(const SourceStatement &head) const;
  /// "[8][8]" of the last declaration of `name` before the end of the line;
  /// empty if it is no array.
  std::string extentsOf(llvm::StringRef name, unsigned line) const;
  /// "float" of the last declaration of `name` before the end of the line;
  /// empty if none is known.
  std::string typeOf(llvm::StringRef name, unsigned line) const;
  /// The parameters of the function that is defined at a line, by position;
  /// empty for one without a name.
  std::vector<std::string> parametersAt(unsigned line) const;

private:
  unsigned lineOf(size_t byte) const;

  std::string text_;
  StatementsOfText read_;
  std::vector<size_t> lines_; ///< their first bytes
};

} // namespace warplint
