// The text of a build, from make, ninja or anything else, to what ptxas
// reported in it and to what is missing of that.
#pragma once
#include "machine/compiled.h"
#include "llvm/ADT/StringRef.h"

namespace warplint {

struct BuildLog {
  std::vector<Usage> usages; ///< whole ones; as readPtxas gives them
  std::vector<CalleeUsage>
      functions;       ///< device functions that were not inlined
  std::string toolkit; ///< "12.4.131", if CMake or nvcc says it once
  /// Why these are not all kernels of the build, a sentence each: the text is
  /// cut off, a compilation failed, there is no report in it at all. Empty: all
  /// that the text tells of is there.
  std::vector<std::string> missing;
};

BuildLog readBuildLog(llvm::StringRef text);

} // namespace warplint
