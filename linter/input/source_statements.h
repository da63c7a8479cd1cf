// The text of a source to what its statements assign, by place.
//
// Works on tokens, so that it reads headers, templates and macros as they are
// written, without the flags of a build.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <map>
#include <string>
#include <vector>

namespace warplint {

struct SourceStatement {
  enum Kind { Other, Assignment, Loop, Return };
  Kind kind = Other;
  size_t begin = 0, end = 0; ///< bytes; of a loop those of its head
  size_t bodyEnd = 0;        ///< of a loop or `if`: the end of its body
  unsigned line = 0;         ///< where it begins
  /// The variable that it assigns: "sum" of `sum[r][q] += x`, "p.v" of `p.v =
  /// 1`. Of a loop its counters.
  std::vector<std::string> names;
  std::string type; ///< of the variable that it declares: "const float"
  std::string text; ///< "sum[r][q] += x[r] * y[q]"; shortened
};

class SourceStatements {
public:
  explicit SourceStatements(llvm::StringRef text);

  /// The innermost statement at a place; null if there is none.
  const SourceStatement *at(unsigned line, unsigned column) const;
  /// The innermost loop around a place; null if there is none.
  const SourceStatement *loopAround(unsigned line, unsigned column) const;
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
  friend class StatementReader;
  unsigned lineOf(size_t byte) const;

  std::string text_;
  std::vector<size_t> lines_;               ///< their first bytes
  std::vector<SourceStatement> statements_; ///< by `begin`
  struct Extents {
    unsigned line;
    std::string text, type;
  };
  std::map<std::string, std::vector<Extents>, std::less<>> extents_;
  struct Parameters {
    unsigned line;
    std::vector<std::string> names;
  };
  std::vector<Parameters> functions_; ///< with a body
};

} // namespace warplint
