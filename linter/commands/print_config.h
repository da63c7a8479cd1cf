// What holds for a source, and who says so.
#pragma once
#include "run/options.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

/// Of the one path that the options name; paths are shown relative to `folder`.
/// Fails if there is no such file, or if a configuration cannot be read.
llvm::Error printConfig(const Options &options, const std::string &folder,
                        llvm::raw_ostream &out);

} // namespace warplint
