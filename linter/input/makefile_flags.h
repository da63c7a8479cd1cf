// A Makefile to the compiler's flags that it writes out, without make: nothing
// that it names is run.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warplint {

struct MakefileFlags {
  std::string file; ///< the Makefile; empty if none was found
  /// `-I` with an absolute folder that exists, `-D` with a name or number,
  /// `-std=` of C++20 and later, `-use_fast_math`: one word each. A macro that
  /// the Makefile defines in two ways, under a condition or for some of its
  /// compiles is left out, and so are words with a variable or function that
  /// the text does not settle.
  std::vector<std::string> words;
};

/// Of the text of a Makefile in `folder`.
MakefileFlags flagsInMakefile(llvm::StringRef text, llvm::StringRef folder);

/// Of the nearest Makefile, from `folder` up to `top`, that compiles CUDA.
MakefileFlags flagsOfMakefile(llvm::StringRef folder, llvm::StringRef top);

} // namespace warplint
