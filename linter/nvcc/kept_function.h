// A preprocessed source to the same source with a function that is not inlined.
#pragma once
#include "model/place.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace warplint {

/// `text` as nvcc's preprocessor writes it, ending in a null. Gives the
/// function `name` whose body has the line of `inside` the attribute
/// `noinline`, in place of `always_inline`. Relative names of files are
/// relative to `directory`. None if the text does not have exactly one such
/// body.
std::optional<std::string> withFunctionKept(llvm::StringRef text,
                                            llvm::StringRef name,
                                            const Place &inside,
                                            llvm::StringRef directory);

} // namespace warplint
