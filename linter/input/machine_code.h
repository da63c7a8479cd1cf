// Tells machine code from text.
#pragma once
#include "llvm/ADT/StringRef.h"

namespace warplint {

/// By its first bytes: an ELF file such as a cubin, an archive, a fat binary.
inline bool isMachineCode(llvm::StringRef bytes) {
  return bytes.starts_with("\x7f"
                           "ELF") ||
         bytes.starts_with("!<arch>\n") || bytes.starts_with("!<thin>\n") ||
         bytes.starts_with("\x50\xed\x55\xba");
}

} // namespace warplint
