// The words of a command to the one object that it compiles from one source of
// CUDA or Kokkos.
#pragma once
#include "input/command.h"
#include <optional>
#include <string>
#include <vector>

namespace warplint {

struct CompileStep {
  Command command; ///< as it was given; the source and its folder absolute
  std::vector<std::string> arguments; ///< response files spliced, the compiler
                                      ///< first
  std::string object;                 ///< absolute path
  /// It has ptxas report on all kernels (`-Xptxas -v`, `-res-usage`).
  bool asksForReport = false;
  /// nvcc compiles it, so that its report can be asked for.
  bool takesReportFlag = false;
};

/// None if there is nothing to lint: links, device links, other outputs than an
/// object (-ptx, -cubin, -E, -M), several sources, host code without Kokkos,
/// what CMake compiles to learn about a compiler, and response files that
/// cannot be read.
std::optional<CompileStep> compileStep(const std::vector<std::string> &words,
                                       const std::string &directory);

} // namespace warplint
