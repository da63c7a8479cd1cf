// The text of a source to its statements, by bytes.
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
  /// The variable that it assigns: "sum" of `sum[r][q] += x`, "p.v" of `p.v =
  /// 1`. Of a loop its counters.
  std::vector<std::string> names;
  std::string type; ///< of the variable that it declares: "const float"
  std::string text; ///< "sum[r][q] += x[r] * y[q]"; shortened
};

struct ArrayDeclaration {
  size_t begin;            ///< the byte of its name
  std::string extents;     ///< "[8][8]"
  std::string elementType; ///< "float"
};

struct DefinedFunction {
  size_t begin;                        ///< the byte of its name
  std::vector<std::string> parameters; ///< "" for one without a name
};

struct StatementsOfText {
  std::vector<SourceStatement> statements; ///< by `begin`, wide ones first
  std::map<std::string, std::vector<ArrayDeclaration>, std::less<>> arrays;
  std::vector<DefinedFunction> functions;
};

/// `text` ends with a null byte.
StatementsOfText readStatements(llvm::StringRef text);

} // namespace warplint
