// A declaration to the names that refer to it (private to source/shorten).
#pragma once
#include "source/shorten/divide.h"
#include "llvm/ADT/SmallVector.h"

namespace warplint {

/// The names that refer to a declaration.
struct DeclaredNames {
  llvm::SmallVector<Word> words; ///< any of them refers to it
  /// It is found without being named: an operator, or a member if the operands
  /// are classes and not namespaces.
  bool isFoundByOperands = false;
  bool always = false;  ///< it has an effect without being named
  bool isClass = false; ///< the words are names of a class
  bool isAlias = false; ///< the words are other names of something
  /// Classes that have to be needed too: all classes that a function is a
  /// member of or that a template's arguments must have, or one of the classes
  /// in the parameters of an operator.
  llvm::SmallVector<Word> operands;
  bool needsAllOperands = false;
};

DeclaredNames namesOf(const TokenText &text, const Piece &piece);

} // namespace warplint
