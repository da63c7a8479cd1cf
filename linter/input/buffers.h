// Files as an editor holds them, unsaved changes included.
#pragma once
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <memory>
#include <string>

namespace warplint {

using Buffers = std::map<std::string, std::string>; ///< text by absolute path

/// Reads `file` from `buffers` or else from disk; null if that fails. The text
/// ends in a null. `buffers` must outlive the result.
std::unique_ptr<llvm::MemoryBuffer> readText(const std::string &file,
                                             const Buffers &buffers);

} // namespace warplint
