// Sources, build logs and machine code to what their kernels take.
#pragma once
#include "cli/options.h"
#include "pipeline.h"
#include "report/resources.h"
#include "llvm/Support/Error.h"

namespace warplint {

struct ReadResources {
  ResourceReport report; ///< sorted by harm; paths relative to this folder
  /// As they are in `report`: what is of none of them was not looked at.
  std::vector<std::string> sources;
  bool wholeBuild = false; ///< a log, which tells no sources
};

/// What each kernel of one source takes, on each architecture; and why it is
/// not known on some.
std::vector<ResourceRow> rowsOf(const CompiledSource &source);
std::vector<MissingReport> missingOf(const CompiledSource &source);

/// `path` as reports name it: relative to this folder if it is below it.
std::string shownHere(llvm::StringRef path);

/// Reads what the options name: "-" is a build log on standard input; what has
/// the beginning of machine code is that, what has the ending of a source or is
/// a folder is compiled, all else is a build log. Fails if there is nothing to
/// read.
llvm::Expected<ReadResources> readResources(const Options &options);

} // namespace warplint
