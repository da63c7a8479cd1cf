// A Makefile to the compiler's flags that it writes out, without make: nothing
// that it names is run.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warplint {

struct WrittenFlags {
  std::string file; ///< that has them; empty if none was found
  /// `-I` with an absolute folder that exists, `-D` with a name or number,
  /// `-std=c++20`, `-use_fast_math`: one word each. A macro that a Makefile
  /// defines in two ways, under an open condition or for some of its compiles
  /// is left out, and so are words with a variable or function that the text
  /// does not settle.
  std::vector<std::string> words;
};

/// Of the text of a Makefile in `folder`, and of files below `top` that it
/// includes; empty: those below `folder`. A branch of a condition counts for
/// certain where what the condition compares is written out, and no switch of
/// an option: 'ifeq ($(GPU),H100)', not 'ifeq ($(MPI),1)'. One that asks for the
/// system is answered as on Linux.
WrittenFlags flagsInMakefile(llvm::StringRef text, llvm::StringRef folder,
                             llvm::StringRef top = "");

/// Of the nearest Makefile, from `folder` up to `top`, that compiles CUDA.
WrittenFlags flagsOfMakefile(llvm::StringRef folder, llvm::StringRef top);

} // namespace warplint
