// Files as an editor holds them, which may be newer than those on disk.
#pragma once
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <memory>
#include <string>

namespace warplint {

using Buffers = std::map<std::string, std::string>; ///< text by absolute path

/// The buffer's text if there is one, else the disk's; null if there is
/// neither. `buffers` must outlive what is returned.
std::unique_ptr<llvm::MemoryBuffer> readText(const std::string &file,
                                             const Buffers &buffers);

} // namespace warplint
