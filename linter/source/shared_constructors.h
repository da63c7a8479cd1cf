// Lets variables in shared memory have types with a constructor. nvcc accepts
// them, and runs no constructor there; to Clang they are an error.
#pragma once
#include "clang/AST/DeclCXX.h"
#include "clang/Sema/Sema.h"
#include <set>
#include <string>
#include <vector>

namespace warplint {

/// Returns the type of the variable that is declared at `location`, in the
/// context that `sema` is in, or that of an array's elements; empty if there is
/// none.
std::string classOfVariable(clang::Sema &sema, clang::SourceLocation location);

/// While a source is parsed, the constructors and destructors of some classes
/// count as trivial, which is what Clang asks for in shared memory.
class SharedConstructors {
public:
  /// `classes`: as `classOfVariable` returns them.
  explicit SharedConstructors(const std::set<std::string> &classes)
      : classes_(classes) {}

  /// Begins for a class that has just been defined, if it is one of them.
  void begin(clang::Sema &sema, clang::TagDecl &defined);
  /// Ends for all of them, before code is generated: variables elsewhere are
  /// constructed.
  void end(clang::Sema &sema);

private:
  const std::set<std::string> &classes_;
  std::vector<clang::CXXMethodDecl *> trivial_;
};

} // namespace warplint
