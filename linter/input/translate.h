// An nvcc command to flags for Clang.
#pragma once
#include "input/command.h"
#include "input/short_forms.h"
#include "input/toolkit.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace warplint {

/// The meaning of an nvcc, nvcc_wrapper or clang++ -x cuda command.
struct Translation {
  /// Flags for Clang, without compiler, source and architecture; they begin
  /// with `-x cuda` and hold one `-std=`. No path is made absolute: the parse
  /// runs in the command's directory.
  std::vector<std::string> clang;
  std::vector<std::string> architectures; ///< "sm_80", "sm_90a": all the
                                          ///< command asks for, in its order;
                                          ///< empty if it names none, or says
                                          ///< native, all or all-major
  bool relocatable = false;               ///< -rdc=true, -dc
  bool linkTimeOptimised = false;         ///< -dlto: ptxas reports nothing then
  bool forHost = false; ///< a Kokkos source of a host build, to be read as the
                        ///< CUDA build that it can be
  bool layoutRight = false; ///< then: its Views without a layout have this one
  ShortForms shortForms;    ///< --use_fast_math and its parts
  std::optional<unsigned> maxRegisters; ///< -maxrregcount
};

/// What begins the word of an options file that is not opened.
inline constexpr llvm::StringLiteral unopenedOptionsFile = "--options-file=";

/// The arguments of `command`, with response files inserted (@file,
/// --options-file, nested, relative to its directory), NVCC_PREPEND_FLAGS and
/// NVCC_APPEND_FLAGS added, and launchers (ccache, `cmake -E env`, ...)
/// removed: the first word is the compiler. A caller that runs the result has
/// to unset the two variables, or nvcc adds them again. An options file outside
/// the project of a compile database is not opened and stays one word. Fails if
/// a response file cannot be read.
llvm::Expected<std::vector<std::string>> fullArguments(const Command &command);

Translation translate(const std::vector<std::string> &fullArguments,
                      const std::optional<Toolkit> &toolkit);

/// Adds the flags that a source without a command is read and compiled with, if
/// they are not there: C++17 and lambdas for the device. By default nvcc has no
/// such lambdas, and the dialect of the host's compiler, which is C++14 up to
/// GCC 10. Toolkits before CUDA 11 lack the flags.
void addFlagsOfBareSources(std::vector<std::string> &arguments,
                           const std::optional<Toolkit> &toolkit);

/// The newest of `architectures` for Clang's --cuda-gpu-arch: prefers sm_90a to
/// sm_90, takes sm_100 for sm_100f, and the newest one that Clang knows for any
/// newer one. "sm_80" if there is none: the oldest with the features that most
/// sources use (asynchronous copies, bfloat16), accepted by every toolkit from
/// CUDA 11 to 13 and every Clang that reads them.
std::string newestArchitecture(const std::vector<std::string> &architectures);

} // namespace warplint
