// Adds to compiled kernels who holds their registers (machine/register_owners).
#pragma once
#include "machine/compiled.h"
#include "os/scratch.h"
#include <chrono>
#include <string>

namespace warplint {

struct RegisterRun {
  std::string nvdisasm;  ///< empty: there is none
  std::string directory; ///< of the compilation
  std::chrono::milliseconds limit;
  bool ofAll = false;      ///< not only of those that spill or have many
  std::string kernel = {}; ///< only of those with this name; empty: all
};

/// Runs nvdisasm once, if a kernel is asked for. Where that fails, the reports
/// say why.
void readRegisters(const RegisterRun &run, const std::string &cubin,
                   Scratch &scratch, CompiledUnit &unit);

} // namespace warplint
