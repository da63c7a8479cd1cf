// Preprocessed text, shortened for nvcc.
#pragma once
#include "source/shorten/shorten.h"
#include "llvm/ADT/Twine.h"

namespace warplint {

inline std::string shortened(llvm::StringRef text) {
  return shorten(
      text, [](llvm::StringRef file) { return file.starts_with("/toolkit/"); });
}

/// With `library` as a system header and `source` as the user's text.
inline std::string shortened(llvm::StringRef library, llvm::StringRef source) {
  return shortened(("# 1 \"k.cu\"\n# 1 \"/lib/header.h\" 1 3\n" + library +
                    "\n# 2 \"k.cu\" 2\n" + source + "\n")
                       .str());
}

/// A declaration for the device, which stays.
inline std::string ofDevice(llvm::StringRef declaration) {
  return ("__attribute__((device)) " + declaration).str();
}

} // namespace warplint
