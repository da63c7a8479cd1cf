// Paths and a compile database to commands.
#pragma once
#include "input/command.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace warplint {

struct SourceRequest {
  std::vector<std::string> paths;      ///< files and folders, as typed
  std::string database;                ///< -p: folder or file; may be empty
  std::vector<std::string> extraFlags; ///< what stands after `--`
  bool mayBeNone = false; ///< no CUDA source under the paths is no failure
};

struct Sources {
  std::vector<Command> commands;  ///< sorted by source, each source once per
                                  ///< distinct command
  std::vector<std::string> notes; ///< what the user ought to know: a database
                                  ///< that names files which are gone, ...
};

/// Every CUDA source under the paths with the command that compiles it. Fails,
/// with a sentence and a "did you mean", if a path does not exist, if a
/// database that was asked for cannot be read, or if there is no CUDA source.
/// `skips`: whether a source that is not named itself is left out.
llvm::Expected<Sources>
findSources(const SourceRequest &request,
            llvm::function_ref<bool(llvm::StringRef)> skips = nullptr);

} // namespace warplint
