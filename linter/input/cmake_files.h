// A folder to the CMake files that speak of it.
#pragma once
#include "input/cmake_commands.h"

namespace warplint {

struct CmakeFile {
  std::string path;
  std::vector<CmakeCommand> commands;
};

/// The CMakeLists.txt of `folder` and of the folders above it, up to `top`: the
/// highest first. Leaves out what cannot be read.
std::vector<CmakeFile> cmakeFilesAbove(llvm::StringRef folder,
                                       llvm::StringRef top);

} // namespace warplint
