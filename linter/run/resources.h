// Sources, build logs and machine code to the resources of their kernels.
#pragma once
#include "report/resources/resources.h"
#include "run/pipeline.h"
#include "llvm/Support/Error.h"

namespace warplint {

struct ReadResources {
  ResourceReport report; ///< sorted by harm; paths relative to this folder
  /// Sources that were looked at, named as in `report`.
  std::vector<std::string> sources;
  bool wholeBuild = false; ///< from a log, which does not name sources
};

/// A path relative to the current folder if it is below that.
std::string shownHere(llvm::StringRef path);

/// Reads what the options name. "-" is a build log on standard input. Files are
/// machine code by their first bytes, sources by their extension, else build
/// logs; folders are searched for sources. Fails if there is nothing to read.
llvm::Expected<ReadResources> readResources(const Options &options);

/// Adds the rows of one compiled source, and the reasons why some are missing.
void addCompiled(const CompiledSource &source, ResourceReport &report);
/// Sorts all rows, and gives kernels of equal names their parameters.
void settle(ResourceReport &report);

} // namespace warplint
