// The arguments of a user's build to those of the compilation that findings are
// judged by.
#pragma once
#include "input/command.h"
#include "input/toolkit.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace warplint {

/// The program, the user's flags that affect the machine code, and the source;
/// the caller adds the architecture and the outputs. Drops outputs (`-o`, `-c`,
/// dependency files, other phases), all architectures, link-time optimisation
/// (ptxas reports nothing under it), and flags that turn the device optimiser
/// off (`-G`, `-O0`, `-dopt`), because users want verdicts on their release
/// build.
///
/// Drops launchers (ccache, cmake -E) too. Turns a Clang command into an nvcc
/// command with its macros and include paths, and that of nvcc_wrapper or any
/// other compiler into one that forwards the flags that nvcc does not know. A
/// source without a command is compiled in the dialect that it is read in.
std::vector<std::string>
judgingArguments(const Command &command,
                 const std::vector<std::string> &fullArguments,
                 const Toolkit &toolkit);

/// `judgingArguments` with `file`, an intermediate file of nvcc (.cup, .ptx),
/// in place of the source.
std::vector<std::string>
argumentsFor(const std::string &file,
             llvm::ArrayRef<std::string> judgingArguments);

/// True if a build with these arguments makes the machine code that is judged:
/// it optimises device code, and not at link time.
bool judgesAsBuilt(const std::vector<std::string> &fullArguments);

/// True if the object of a build with these arguments has PTX with the lines of
/// the source: by `-lineinfo`, and a `compute_90` among what is generated.
bool keepsPtxWithLines(const std::vector<std::string> &fullArguments);

/// True if the arguments ask for link-time optimisation (`-dlto`, lto_80).
bool asksForLinkTimeOptimisation(const std::vector<std::string> &fullArguments);

/// The value of the last -maxrregcount, given to nvcc or through -Xptxas; 0 if
/// there is none.
unsigned registersOfCommand(llvm::ArrayRef<std::string> arguments);

/// `judgingArguments` without -maxrregcount and with the PTX text in `file` in
/// place of the source.
std::vector<std::string>
argumentsWithoutLimits(llvm::ArrayRef<std::string> judgingArguments,
                       const std::string &file);

} // namespace warplint
