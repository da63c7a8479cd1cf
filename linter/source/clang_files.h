// The files that Clang reads for a source: the disk's, and in front of them
// what replaces them or is on no disk.
#pragma once
#include "source/parse_request.h"
#include "source/parsed_before.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace warplint {

using FileSystem = llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>;

/// Returns a new file system, so that each thread has its own working folder,
/// the command's.
FileSystem diskFor(const ParseRequest &request);

/// Returns `disk` behind our own headers, the files in `changed`, the request's
/// buffers and `texts`; of two texts for one file, the first counts. Each is as
/// Clang accepts it. Asks `disk` for the files that it replaces, for those who
/// record what was read.
FileSystem filesForClang(const ParseRequest &request, FileSystem disk,
                         const Buffers &changed,
                         llvm::ArrayRef<TextForClang> texts);

} // namespace warplint
