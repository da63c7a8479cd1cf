// The facts about the code of one kernel.
#pragma once
#include "machine/compiled.h"
#include "machine/cubin.h"
#include "machine/disassembly.h"
#include "ptx/value_origins.h"

namespace warplint {

struct KernelCode {
  const MachineFunction &code;
  const CubinFunction &cubin; ///< with `ptxLines`
  const PtxOrigins &ptx;
  const Usage &usage;
  const LaunchLimits &limits;
};

} // namespace warplint
