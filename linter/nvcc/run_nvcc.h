// A source to machine code, by nvcc.
#pragma once
#include "os/scratch.h"
#include <chrono>
#include <string>
#include <vector>

namespace warplint {

struct NvccRun {
  std::vector<std::string>
      arguments;              ///< judgingArguments, and -arch; last the source
  std::string directory;      ///< where they are meant
  std::string toolkitInclude; ///< the toolkit's headers
  std::chrono::milliseconds limit; ///< of all programs together
  unsigned release;                ///< the toolkit's, 13
};

/// Writes `cubin`, and into the scratch folder the PTX and the file "output",
/// all that was said.
///
/// Most of what nvcc reads of a source are declarations of headers that its
/// device code has no use for, so nvcc's own preprocessor is run first, and the
/// rest is given its text without them, which gives the same machine code in
/// less time (nvcc/shorten/unused_declarations.h). If nvcc finds fault with it,
/// or no machine code comes of it, nvcc is given the source as it is, and what
/// it then says holds. `read`: the absolute paths of the files that it read,
/// none if its preprocessor failed.
llvm::Expected<Exit> runNvcc(const NvccRun &run, const std::string &cubin,
                             Scratch &scratch, std::vector<std::string> &read);

} // namespace warplint
