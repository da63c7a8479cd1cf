// A Python package's setup.py to the flags for nvcc that it writes out, as text:
// nothing of it is run.
#pragma once
#include "input/makefile_flags.h"

namespace warplint {

/// Of the text of a setup.py in `folder`: `-I` for each folder below it that a
/// string names, `-std=c++20` if it asks for no other standard, and the macros
/// of its only extension. Strings under a condition count if it asks for CUDA.
WrittenFlags flagsInSetup(llvm::StringRef text, llvm::StringRef folder);

/// Of the nearest setup.py, from `folder` up to `top`, that compiles CUDA.
WrittenFlags flagsOfSetup(llvm::StringRef folder, llvm::StringRef top);

} // namespace warplint
