// The words of a command to the one object that it compiles from one CUDA or
// Kokkos source.
#pragma once
#include "input/command.h"
#include <optional>
#include <string>
#include <vector>

namespace warplint {

struct CompileStep {
  Command command; ///< as given; the source and its folder are absolute
  std::vector<std::string> arguments; ///< expanded, see fullArguments
  std::string object;                 ///< absolute path
  /// It makes ptxas report on all kernels (`-Xptxas -v`, `-res-usage`).
  bool asksForReport = false;
  /// nvcc compiles it, so a flag can request the report of ptxas.
  bool takesReportFlag = false;
};

/// The absolute path of the one object that expanded arguments make from one
/// source; empty if they make another output, or several.
std::string objectOf(const std::vector<std::string> &fullArguments,
                     const std::string &directory);

/// No value if there is nothing to lint: links, device links, outputs other
/// than an object (-ptx, -cubin, -E, -M), several sources, host code without
/// Kokkos, CMake's compiler tests, and response files that cannot be read.
std::optional<CompileStep> compileStep(const std::vector<std::string> &words,
                                       const std::string &directory);

} // namespace warplint
