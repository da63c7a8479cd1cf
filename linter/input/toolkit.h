// Where the CUDA toolkit of a command is, and which release it is.
#pragma once
#include "input/command.h"
#include <optional>
#include <string>

namespace warplint {

struct Toolkit {
  std::string root; ///< the folder that holds bin/ and include/
  std::string nvcc; ///< path of nvcc; empty if this toolkit has only headers
  unsigned major = 0, minor = 0, build = 0; ///< 13, 0, 88
};

/// The toolkit of `command`: that of the nvcc it names, else `cudaPath` (from
/// --cuda-path), else CUDA_PATH or CUDA_HOME, else the nvcc on PATH, else
/// /usr/local/cuda. A path that is given and holds no toolkit is no reason to
/// fail: the next is tried.
std::optional<Toolkit> findToolkit(const Command &command,
                                   const std::string &cudaPath);

} // namespace warplint
