// What nvcc brings along and Clang lacks, as files of a virtual folder.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
namespace warplint {
struct ShimFile { llvm::StringRef path, text; };
llvm::ArrayRef<ShimFile> shimFiles();
llvm::StringRef shimFolder();
}
