// Adds to compiled kernels who holds their registers (machine/register_owners).
#pragma once
#include "machine/compiled.h"
#include "os/scratch.h"
#include <chrono>
#include <string>

namespace warplint {

/// Kernels whose registers are asked for: to read their code takes a fifth to a
/// half of the time in which ptxas makes it (faiss, kernels of 128 registers).
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
