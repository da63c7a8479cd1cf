// Adds to compiled kernels who holds their registers (machine/register_owners).
#pragma once
#include "machine/compiled.h"
#include "os/scratch.h"
#include <chrono>
#include <string>

namespace warplint {

/// Kernels whose registers are asked for: a look at their code costs about a
/// third of what ptxas takes to make it.
enum class RegistersOf {
  Spilling,
  Many, ///< those as well that have so many that few warps fit into an SM
  All,
};

struct RegisterRun {
  std::string nvdisasm;  ///< empty: there is none
  std::string directory; ///< of the compilation
  std::chrono::milliseconds limit;
  RegistersOf which = RegistersOf::Spilling;
  std::string kernel = {}; ///< only of those with this name; empty: all
};

/// Runs nvdisasm once, if a kernel is asked for. Where that fails, the reports
/// say why.
void readRegisters(const RegisterRun &run, const std::string &cubin,
                   Scratch &scratch, CompiledUnit &unit);

} // namespace warplint
