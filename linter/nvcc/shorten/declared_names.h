// A declaration to the words that it is found by.
#pragma once
#include "nvcc/shorten/divide.h"
#include "llvm/ADT/SmallVector.h"

namespace warplint {

/// What a declaration is found by.
struct Names {
  llvm::SmallVector<Word> words; ///< any of them
  /// Nobody has to name it: an operator; a member, if the operands are classes
  /// and not namespaces.
  bool isFoundByOperands = false;
  bool always = false;  ///< it acts without being named
  bool isClass = false; ///< the words are names of a class
  bool isAlias = false; ///< the words are other names of something
  /// Classes that have to be needed as well: all those that a function is a
  /// member of or that a template's arguments must be, or one of those among
  /// the words of an operator's parameters.
  llvm::SmallVector<Word> operands;
  bool needsAllOperands = false;
};

Names namesOf(const TokenText &text, const Piece &piece);

} // namespace warplint
