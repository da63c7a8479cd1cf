// The sets of flags that a source is parsed with, one after the other: Clang
// accepts a little less than nvcc, and what cures one source harms another.
#pragma once
#include "input/command.h"
#include "input/toolkit.h"
#include "input/translate.h"
#include "source/parse_error.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace warplint {

/// The errors that an attempt cures beyond those before it.
enum class Cure { Macros, GnuKeywords, HostTemplates, Relocatable };

struct Attempt {
  Cure what;
  std::vector<std::string> flags; ///< for Clang, behind the user's
};

/// Returns the attempts, each to be made only if the one before had errors. A
/// source without an error may still lack the code behind `#if
/// __CUDACC_VER_MAJOR__ >= 11`, so what nvcc of this `release` defines comes
/// first; if another compiler builds the source, last.
std::vector<Attempt> attemptsFor(const Command &command,
                                 const Translation &translation,
                                 const Toolkit &release);

/// What the errors of a source say about the flags that may cure them.
struct ErrorKinds {
  unsigned missingFiles = 0; ///< included files that are not found
  /// Those whose #include none of nvcc's macros decides, nor any that leads to
  /// it: they are missing with the macros and without.
  unsigned missingAnyway = 0;
  /// Errors of syntax or of a name that nobody declares, in the user's files.
  unsigned usersNames = 0;
  /// One of nvcc's macros may decide on code of the user's.
  bool nvccDecides = true;
  /// Other errors behind the first missing file: of what it would declare.
  unsigned consequences = 0;
  /// Errors that are no matter of syntax or of a name that nobody declares.
  bool beyondNames = false;
  /// Errors of code that needs relocatable device code.
  bool relocatable = false;
  /// `typeof` is no keyword.
  bool gnuKeywords = false;
};

/// Returns false if an attempt has no effect on errors of these kinds,
/// `errors` in number: each attempt takes as long as the first.
bool mayCure(Cure what, const ErrorKinds &kinds, size_t errors);

/// Returns true for an error that Cure::HostTemplates may make: with it, Clang
/// compiles for the device what nvcc compiles for the host alone.
bool isUseOfHost(const ParseError &error);

/// Drops the errors that Cure::HostTemplates makes. `before` has the errors
/// without it.
void dropUsesOfHost(std::vector<ParseError> &errors,
                    llvm::ArrayRef<ParseError> before);

} // namespace warplint
