// A project's CMake files to the C++ standard that they ask for, without CMake.
#pragma once
#include "input/makefile_flags.h"

namespace warplint {

/// The standard of CUDA, else of C++, that the text of a CMake file names: 17
/// of `set(CMAKE_CUDA_STANDARD 17)`, `cuda_std_17`, `CUDA_STANDARD 17`; the
/// newest of several, 0 if it names none.
unsigned standardInCmake(llvm::StringRef text);

/// "-std=c++20" if the nearest CMakeLists.txt that names a standard, from
/// `folder` up to `top`, asks for it; no word for an older one, nor for one
/// that nvcc 13.0 does not have.
WrittenFlags standardOfCmake(llvm::StringRef folder, llvm::StringRef top);

} // namespace warplint
