// Arguments for nvcc that somebody else wrote to those that run and write
// nothing of their choice.
//
// nvcc starts its parts by a shell. It puts paths and macros into double quotes,
// where backquotes and, behind a backslash, $(...) and quotes end them or run
// what they hold; the words of -Xcompiler, -Xptxas and -Xcudafe and the values
// of -e and --sanitize get none, where `;` does too (seen with nvcc 13.0;
// docs/security.md lists what was tried).
#pragma once
#include "input/trusted_programs.h"
#include <string>
#include <vector>

namespace warplint {

struct SafeArguments {
  std::vector<std::string> arguments; ///< the program and the source included
  std::vector<std::string> dropped;   ///< as the command has them
};

/// `arguments` are what judgingArguments gave. Only flags that nvcc has, and
/// flags of the host compiler and of ptxas that are known to decide about code,
/// are left. `typed` are flags among them that the user typed: they stay.
SafeArguments safeArguments(llvm::ArrayRef<std::string> arguments,
                            llvm::StringRef directory,
                            const TrustedPrograms &trusted,
                            llvm::ArrayRef<std::string> typed = {});

/// Returns true if a shell would run part of `path`, as nvcc quotes it.
bool isHazardousPath(llvm::StringRef path);

} // namespace warplint
