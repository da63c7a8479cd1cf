// A preprocessed source to the same source with a loop that is not unrolled.
#pragma once
#include "model/place.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace warplint {

/// `text` as nvcc's preprocessor writes it. Puts `#pragma unroll 1` before the
/// loop that begins at the line, in place of another such pragma. Relative
/// names of files are relative to `directory`. None if not exactly one loop
/// begins there: the line may be of a macro, or declare what nothing uses.
std::optional<std::string> withLoopRolled(llvm::StringRef text,
                                          const Place &loop,
                                          llvm::StringRef directory);

} // namespace warplint
