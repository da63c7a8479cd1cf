// Compiles a source to machine code with nvcc.
#pragma once
#include "os/scratch.h"
#include <chrono>
#include <string>
#include <vector>

namespace warplint {

struct NvccRun {
  std::vector<std::string>
      arguments;              ///< judgingArguments, and -arch; last the source
  std::string directory;      ///< in which they run
  std::string toolkitInclude; ///< the toolkit's headers
  std::chrono::milliseconds limit; ///< for all programs together
  unsigned release;                ///< the toolkit's, 13
  uint64_t memory = 0;             ///< bytes for each program; 0: no limit
};

/// Writes `cubin`, and into the scratch folder the PTX and all output of nvcc,
/// as the file "output".
///
/// Most declarations that nvcc reads stand in headers and no device code uses
/// them. So this runs nvcc's preprocessor first, removes them from its text,
/// and lets nvcc compile the rest, which gives the same machine code in less
/// time (source/shorten/shorten.h). If that fails or gives no machine code, nvcc
/// compiles the unchanged source, and that result counts. Sets `read` to the
/// absolute paths of the files that the preprocessor read; empty if it failed.
llvm::Expected<Exit> runNvcc(const NvccRun &run, const std::string &cubin,
                             Scratch &scratch, std::vector<std::string> &read);

/// The file of that rest in the scratch folder; there is none if the
/// preprocessor failed.
std::string shortenedFile(const NvccRun &run, const Scratch &scratch);

} // namespace warplint
