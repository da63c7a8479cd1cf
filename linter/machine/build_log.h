// Reads the log of a build, from make, ninja or anything else: what ptxas
// reported in it and what is missing.
#pragma once
#include "machine/compiled.h"
#include "llvm/ADT/StringRef.h"

namespace warplint {

struct BuildLog {
  std::vector<Usage> usages; ///< complete ones, as from readPtxas
  std::vector<CalleeUsage>
      functions;       ///< device functions that were not inlined
  std::string toolkit; ///< "12.4.131", if CMake or nvcc says it once
  /// Why kernels of the build may be missing, a sentence each: the text is cut
  /// off, a compilation failed, there is no report. Empty if nothing is
  /// missing.
  std::vector<std::string> missing;
};

BuildLog readBuildLog(llvm::StringRef text);

} // namespace warplint
