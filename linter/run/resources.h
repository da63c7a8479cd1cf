// Sources, build logs and machine code to what their kernels take.
#pragma once
#include "report/resources/resources.h"
#include "run/pipeline.h"
#include "llvm/Support/Error.h"

namespace warplint {

struct ReadResources {
  ResourceReport report; ///< sorted by harm; paths relative to this folder
  /// As they are in `report`: what is of none of them was not looked at.
  std::vector<std::string> sources;
  bool wholeBuild = false; ///< a log, which tells no sources
};

/// `path` as reports name it: relative to this folder if it is below it.
std::string shownHere(llvm::StringRef path);

/// Reads what the options name: "-" is a build log on standard input; what has
/// the beginning of machine code is that, what has the ending of a source or is
/// a folder is compiled, all else is a build log. Fails if there is nothing to
/// read.
llvm::Expected<ReadResources> readResources(const Options &options);

/// The rows of one compiled source, and what is missing of it.
void addCompiled(const CompiledSource &source, ResourceReport &report);
/// Once all rows are there: sorted, two kernels of one name told apart.
void settle(ResourceReport &report);

} // namespace warplint
