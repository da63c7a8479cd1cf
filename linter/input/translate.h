// An nvcc command in Clang's words.
#pragma once
#include "input/command.h"
#include "input/toolkit.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace warplint {

/// What an nvcc (or nvcc_wrapper, or clang++ -x cuda) command means.
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
  bool linkTimeOptimised = false;         ///< -dlto: ptxas says nothing then
  bool forHost = false; ///< a Kokkos source of a host build, to be read as the
                        ///< CUDA build that it can be
  bool layoutRight = false; ///< then: its Views without a layout have this one
  bool fastMath = false;    ///< --use_fast_math
  std::optional<unsigned> maxRegisters; ///< -maxrregcount
};

/// `command` with response files spliced (@file, --options-file, nested,
/// relative to its directory), NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS added
/// and launchers (ccache, `cmake -E env`, ...) left out: the first word is the
/// compiler. Whoever runs the result has to unset the two variables, or nvcc
/// adds them again. Fails if a response file cannot be read.
llvm::Expected<std::vector<std::string>> fullArguments(const Command &command);

Translation translate(const std::vector<std::string> &fullArguments,
                      const std::optional<Toolkit> &toolkit);

/// The newest of some architectures that Clang knows, for its --cuda-gpu-arch:
/// sm_90a before sm_90, sm_100 for sm_100f, the newest one known for what is
/// newer still. "sm_80" if there is none: the oldest that has all that usual
/// sources ask for (asynchronous copies, bfloat16), and one that every toolkit
/// from CUDA 11 to 13 and every Clang that reads them accept.
std::string newestArchitecture(const std::vector<std::string> &architectures);

} // namespace warplint
