// The paths of a request to the files below them.
#pragma once
#include "input/database.h"
#include "input/sources.h"

namespace warplint {

/// The sources of one path of a request.
struct TypedPath {
  std::string typed;
  std::string place; ///< absolute; empty: all of a database
  bool isFolder = false;
  std::vector<std::string> sources; ///< absolute; CUDA or maybe CUDA
  std::vector<std::string> headers; ///< .cuh, of a folder
  std::vector<std::string> others;  ///< its other headers
  size_t skipped = 0; ///< sources of a folder that a configuration leaves out
};

/// Reads the paths of a request, files before folders, so that a file that is
/// named and also lies in a named folder counts as named; without a path, the
/// current folder, or all of the database that was asked for (null: none).
/// Leaves out files of folders for which `skips` returns true. Fails if a path
/// does not exist, or is neither a source nor a folder.
llvm::Expected<std::vector<TypedPath>>
readPaths(const SourceRequest &request, const Database *asked,
          llvm::function_ref<bool(llvm::StringRef)> skips,
          std::vector<std::string> &notes);

/// "'FILE' does not exist; did you mean 'NEAR'?": compares the first missing
/// part of the path with its siblings.
llvm::Error noSuchPath(llvm::StringRef typed);

/// Without links resolved: as the user sees it.
std::string absolutePath(llvm::StringRef name);

} // namespace warplint
