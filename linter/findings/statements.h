// Splits a source into statements whose text does not depend on formatting.
#pragma once
#include "model/place.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warplint {

/// The code between two of `;`, `{`, `}` and preprocessor lines.
struct Statement {
  size_t end = 0;   ///< the byte after it
  std::string text; ///< without comments and white space
};

/// In the order of the text; the last one ends where the text does.
std::vector<Statement> statements(llvm::StringRef text);

/// The statements of one file, by line and column.
class StatementIndex {
public:
  explicit StatementIndex(llvm::StringRef text);
  /// Empty if there is no such line.
  llvm::StringRef at(unsigned line, unsigned column) const;

private:
  std::vector<size_t> lines_; ///< where each starts
  std::vector<Statement> statements_;
};

} // namespace warplint
