// The conditions of #if and its like to whether they hold, where only some
// macros are known: those of flags, of the compiler and of the files that were
// followed.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace warplint {

/// Macros of compilers and systems that neither nvcc nor Clang is here.
bool isNeverDefined(llvm::StringRef macro);

class KnownMacros {
public:
  /// `flags` are those of a compiler that compiles CUDA: the macros of its -D
  /// and -U, and what nvcc defines, are known from the start.
  explicit KnownMacros(llvm::ArrayRef<std::string> flags = {});

  void define(llvm::StringRef macro, llvm::StringRef value);
  void undefine(llvm::StringRef macro);
  /// From now on nobody knows whether `macro` is defined.
  void forget(llvm::StringRef macro);

  /// True if a flag, the compiler or one of the calls above has named it.
  bool isNamed(llvm::StringRef macro) const { return macros_.count(macro); }

  /// None if that is unknown. A macro that nothing here has named is not
  /// defined, unless it asks whether CUDA is there. One whose name is a
  /// compiler's or a system's is unknown.
  std::optional<bool> isDefined(llvm::StringRef macro) const;

  /// Whether `condition`, what follows an #if, holds. A version is unknown if
  /// nothing here has named it: a library's header may give it.
  std::optional<bool> holds(llvm::StringRef condition) const;

private:
  friend class ConditionParser;
  struct Macro {
    std::optional<bool> isDefined;
    std::string value;
  };
  llvm::StringMap<Macro> macros_;
};

} // namespace warplint
