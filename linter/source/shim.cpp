#include "source/shim.h"

namespace warplint {

#define SHIM_FOLDER "/warplint-shim/"
// The toolkit's headers by name, for sources on a machine that has none.
#define STAND_IN(name)                                                         \
  {SHIM_FOLDER "minimal/" name,                                                \
   "#pragma once\n#include \"warplint_cuda_minimal.h\"\n"},

static constexpr ShimFile files[] = {
#include "shim_files.inc" // made by shim.cmake from the files in shim/
                          // clang-format off
    STAND_IN("cuda.h")
    STAND_IN("cuda_runtime.h")
    STAND_IN("cuda_runtime_api.h")
    STAND_IN("cuda_device_runtime_api.h")
    STAND_IN("cuda_profiler_api.h")
    STAND_IN("device_launch_parameters.h")
    STAND_IN("device_functions.h")
    STAND_IN("device_atomic_functions.h")
    STAND_IN("driver_types.h")
    STAND_IN("builtin_types.h")
    STAND_IN("host_defines.h")
    STAND_IN("math_functions.h")
    STAND_IN("sm_60_atomic_functions.h")
    STAND_IN("texture_types.h")
    STAND_IN("vector_functions.h")
    STAND_IN("vector_types.h")
                          // clang-format on
};

llvm::ArrayRef<ShimFile> shimFiles() { return files; }

std::vector<std::string> shimFlags(bool hasToolkit) {
  // nvcc takes `register` as a word without meaning, in C++17 too.
  if (hasToolkit)
    return {"-isystem",     SHIM_FOLDER "include",
            "-include",     SHIM_FOLDER "warplint_cuda.h",
            "-include",     SHIM_FOLDER "warplint_cuda_legacy.h",
            "-Wno-register"};
  return {"-nocudainc",   "-nocudalib",
          "-isystem",     SHIM_FOLDER "minimal",
          "-include",     SHIM_FOLDER "minimal/warplint_cuda_minimal.h",
          "-include",     SHIM_FOLDER "warplint_cuda.h",
          "-Wno-register"};
}

} // namespace warplint
