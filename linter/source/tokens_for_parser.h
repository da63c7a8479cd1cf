// The tokens of a source, all read before the parser gets the first one. So it
// is known what they name, and the parser gets no declaration of a library that
// nothing refers to: a third to a half of the tokens.
#pragma once
#include "source/nvcc_spelling.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/DenseSet.h"
#include <vector>

namespace warplint {

class TokensForParser {
public:
  /// Reads to its end the source that the preprocessor has entered. The parser,
  /// which knows the pragmas, must exist.
  explicit TokensForParser(clang::CompilerInstance &clang);
  TokensForParser(const TokensForParser &) = delete;
  ~TokensForParser();

  /// Takes out the declarations in system headers that the others do not refer
  /// to (source/shorten/unused_declarations.h). Returns their words.
  llvm::DenseSet<const clang::IdentifierInfo *> dropUnused();

  /// From now on the preprocessor gives what is left, and `see` is called with
  /// each token that the parser gets, before it does. To be called once; nothing
  /// may be parsed after this object's end.
  void enter(SeeToken see);

private:
  /// What a directive changes for the tokens behind it.
  struct Change {
    enum Kind {
      ToSystem, ///< they are a system header's
      ToUser,
      BeginForHostDevice, ///< functions are for both sides
      EndForHostDevice
    } kind;
    size_t before; ///< this token
  };
  class Recorder;

  void apply(Change::Kind change);

  clang::CompilerInstance &clang_;
  std::vector<clang::Token> tokens_;
  std::vector<Change> changes_; ///< in order
  size_t seen_ = 0;             ///< tokens
  size_t applied_ = 0;          ///< changes
};

} // namespace warplint
