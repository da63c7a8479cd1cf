// Paths and a compile database to commands.
#pragma once
#include "input/buffers.h"
#include "input/command.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace warplint {

struct SourceRequest {
  std::vector<std::string> paths;      ///< files and folders, as typed
  std::string database;                ///< -p: folder or file; may be empty
  std::vector<std::string> extraFlags; ///< flags after `--`
  bool mayBeNone = false;              ///< having no CUDA source is no failure
  Buffers buffers = {}; ///< text that is not on the disk: an editor's, or typed
};

struct Sources {
  std::vector<Command> commands;  ///< sorted by source, each source once per
                                  ///< distinct command
  /// Of folders that have sources: the .cuh, then others.
  std::vector<std::string> headers;
  std::vector<std::string> notes; ///< for the user: a database names files
                                  ///< that are gone, ...
};

/// Finds every CUDA source under the paths, with the command that compiles it.
/// Fails if a path does not exist (with a "did you mean"), if the requested
/// database cannot be read, or if there is no CUDA source. Leaves out sources
/// for which `skips` returns true, unless a path names them.
llvm::Expected<Sources>
findSources(const SourceRequest &request,
            llvm::function_ref<bool(llvm::StringRef)> skips = nullptr);

} // namespace warplint
