// PTX text to the kernels of the model, as source/read makes them of a source.
#pragma once
#include "model/model.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <set>

namespace warplint {

struct PtxRequest {
  /// The file that the text is in: the place of what has no `.loc`. Empty if it
  /// is in none that the user has.
  std::string file;
  /// Absolute paths of files that are not the user's own, beside those that
  /// `isLibraryFile` knows.
  std::set<std::string> systemFiles;
  /// By mangled name, which kernels to read; all if it is null.
  llvm::function_ref<bool(llvm::StringRef mangled)> wanted = nullptr;
};

/// The kernels that the text defines, in its order, with what it calls inlined.
/// Each has a readable name, the place of its first `.loc`, its launch bounds,
/// and in `shapes` the block that `.reqntid` demands, if it does.
llvm::Expected<std::vector<Kernel>> readPtxKernels(llvm::StringRef text,
                                                   const PtxRequest &request);

/// What a PTX text says it is for, "sm_90a"; empty if it does not say.
std::string ptxTarget(llvm::StringRef text);

/// Whether a file that `.loc` names belongs to a toolkit, a language or an
/// installed package: known by the folder, as compilers and package managers
/// lay them out (CUDA, Clang, Python, Julia).
bool isLibraryFile(llvm::StringRef path);

} // namespace warplint
