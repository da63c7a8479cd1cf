// An nvcc command in Clang's words.
#pragma once
#include "input/command.h"
#include "input/toolkit.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace warplint {

/// What an nvcc (or nvcc_wrapper, or clang++ -x cuda) command means.
struct Translation {
  std::vector<std::string> clang; ///< flags for Clang, without compiler, source
                                  ///< and architecture
  std::vector<std::string> architectures; ///< "sm_80", "sm_90a": all the
                                          ///< command asks for, in its order;
                                          ///< empty if it names none
  bool relocatable = false;        ///< -rdc=true, -dc
  bool linkTimeOptimised = false;  ///< -dlto: ptxas says nothing then
  bool fastMath = false;           ///< --use_fast_math
  std::optional<unsigned> maxRegisters; ///< -maxrregcount
};

/// `command` with response files spliced (@file, --options-file, nested,
/// relative to its directory) and NVCC_PREPEND_FLAGS / NVCC_APPEND_FLAGS added.
/// Fails if a response file cannot be read.
llvm::Expected<std::vector<std::string>> fullArguments(const Command &command);

Translation translate(const std::vector<std::string> &fullArguments,
                      const std::optional<Toolkit> &toolkit);

} // namespace warplint
