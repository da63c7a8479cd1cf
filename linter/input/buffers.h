// Files as an editor holds them, unsaved changes included.
#pragma once
#include "llvm/Support/Chrono.h"
#include "llvm/Support/MemoryBuffer.h"
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace warplint {

using Buffers = std::map<std::string, std::string>; ///< text by absolute path

/// Called with a file from disk, its text, and the time of its last
/// modification before it was read.
using WasRead = std::function<void(const std::string &, llvm::StringRef,
                                   llvm::sys::TimePoint<>)>;

/// Reads `file` from `buffers` or else from disk; null if that fails. The text
/// ends in a null. `buffers` must outlive the result.
std::unique_ptr<llvm::MemoryBuffer> readText(const std::string &file,
                                             const Buffers &buffers,
                                             const WasRead &wasRead = {});

} // namespace warplint
