// Reads the kernels of PTX text into the model, as source/read does for a
// source.
#pragma once
#include "model/model.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <set>

namespace warplint {

struct PtxRequest {
  /// The file of the text: the place of instructions without `.loc`. Empty if
  /// the user has no such file.
  std::string file;
  /// Absolute paths of library files beyond those that `isLibraryFile` knows.
  std::set<std::string> systemFiles;
  /// Selects kernels by mangled name; null: all.
  llvm::function_ref<bool(llvm::StringRef mangled)> wanted = nullptr;
};

/// Returns the kernels that the text defines, in its order, with their calls
/// inlined. Each has a readable name, the place of its first `.loc`, its launch
/// bounds, and in `shapes` the block of `.reqntid`, if there is one.
llvm::Expected<std::vector<Kernel>> readPtxKernels(llvm::StringRef text,
                                                   const PtxRequest &request);

/// Returns the `.target` of PTX text, "sm_90a"; empty if it has none.
std::string ptxTarget(llvm::StringRef text);

/// Returns true if a file in `.loc` belongs to a toolkit, a language or an
/// installed package, judged by the folders that compilers and package managers
/// use (CUDA, Clang, Python, Julia).
bool isLibraryFile(llvm::StringRef path);

} // namespace warplint
