// A project's CMake files to the C++ standard that they ask for, without CMake.
#pragma once
#include "input/cmake_files.h"
#include "input/makefile_flags.h"
#include "llvm/ADT/ArrayRef.h"

namespace warplint {

/// The standard of CUDA, else of C++, that a CMake file names: 17 of
/// `set(CMAKE_CUDA_STANDARD 17)`, `cuda_std_17`, `CUDA_STANDARD 17`; the newest
/// of several, 0 if it names none.
unsigned standardInCmake(llvm::ArrayRef<CmakeCommand> commands);

/// "-std=c++20" if the last of these files that names a standard asks for it;
/// no word for an older one, nor for one that nvcc 13.0 does not have.
WrittenFlags standardOfCmake(llvm::ArrayRef<CmakeFile> files);

} // namespace warplint
