// Opens a file that a command line, a project or a cache names. A pipe or a
// device may have no end, or no writer: only regular files are read.
#pragma once
#include "llvm/Support/Chrono.h"
#include "llvm/Support/MemoryBuffer.h"

namespace warplint {

/// "is no regular file".
std::error_code noRegularFile();

/// Returns false for a pipe, a socket or a device other than /dev/null. True if
/// there is no such file: opening it says so.
bool mayBeRead(const llvm::Twine &path);

/// MemoryBuffer::getFile for regular files. `modified` becomes the time of the
/// last modification before the file was read.
llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
readRegularFile(const llvm::Twine &path, bool needsNullTerminator = true,
                llvm::sys::TimePoint<> *modified = nullptr);

/// The same for a file that the command line names: "-" is standard input, and
/// a file of /dev/fd is what a shell opened for `<(...)`.
llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
readNamedFile(llvm::StringRef path, bool needsNullTerminator = true);

/// MemoryBuffer::getFile for a regular file that had `size` bytes. A run over
/// an unchanged tree does little else, so this asks the system for a small file
/// only to open, read and close it.
llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
readSmallFile(const llvm::Twine &path, uint64_t size,
              bool needsNullTerminator = true);

} // namespace warplint
