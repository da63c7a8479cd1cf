// The arguments of a user's build to those of a run for judging.
#pragma once
#include "input/command.h"
#include "input/toolkit.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace warplint {

/// What to run, without the architecture and without any output: the program,
/// the user's flags that decide about the machine code, and the source.
/// Dropped are outputs (`-o`, `-c`, dependency files, other phases), all
/// architectures, link-time optimisation (ptxas would say nothing), and what
/// iterations the device's optimiser off (`-G`, `-O0`, `-dopt`), because a
/// debug build is not what a verdict is wanted on.
///
/// Launchers (ccache, cmake -E) are dropped too. A Clang command becomes an
/// nvcc command of its macros and include paths; nvcc_wrapper and any other
/// compiler's becomes nvcc's with the flags nvcc does not know forwarded.
std::vector<std::string>
judgingArguments(const Command &command,
                 const std::vector<std::string> &fullArguments,
                 const Toolkit &toolkit);

/// What `judgingArguments` gave, to begin with `file`, which nvcc or its parts
/// have written (.cup, .ptx), instead of the source.
std::vector<std::string>
argumentsFor(const std::string &file,
             llvm::ArrayRef<std::string> judgingArguments);

/// Whether a build with these arguments makes the machine code that is judged:
/// its device code is optimised, and compiled at once.
bool judgesAsBuilt(const std::vector<std::string> &fullArguments);

/// Whether the arguments ask for link-time optimisation (`-dlto`, lto_80).
bool asksForLinkTimeOptimisation(const std::vector<std::string> &fullArguments);

/// The value of the last -maxrregcount, for nvcc or by -Xptxas; 0 if there is
/// none.
unsigned registersOfCommand(llvm::ArrayRef<std::string> arguments);

/// What `judgingArguments` gave, to compile the PTX text in `file` instead of
/// the source: without -maxrregcount, and without the language of the source.
std::vector<std::string>
argumentsWithoutLimits(llvm::ArrayRef<std::string> judgingArguments,
                       const std::string &file);

} // namespace warplint
