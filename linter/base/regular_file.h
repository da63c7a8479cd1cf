// Opens a file that a command line, a project or a cache names. A pipe or a
// device may have no end, or no writer: only regular files are read.
#pragma once
#include "llvm/Support/MemoryBuffer.h"

namespace warplint {

/// "is no regular file".
std::error_code noRegularFile();

/// Returns false for a pipe, a socket or a device other than /dev/null. True if
/// there is no such file: opening it says so.
bool mayBeRead(const llvm::Twine &path);

/// MemoryBuffer::getFile for regular files.
llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
readRegularFile(const llvm::Twine &path, bool needsNullTerminator = true);

} // namespace warplint
