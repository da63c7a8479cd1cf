// Headers that a build generates from a template of the project: "config.h"
// from "config.h.in".
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warplint {

/// Returns the names that the template of such a header may have, for CMake and
/// for Autoconf, without a folder: "config.h.in".
std::vector<std::string> templateNames(llvm::StringRef header);

/// Returns the header that a build with nothing switched on makes of a
/// template: what `#cmakedefine` and `#undef` leave open is not defined, and
/// `@VALUE@` or `${VALUE}` is 0, or nothing in a string. Lines that are such a
/// value, or include one, are blank: no line moves.
std::string withNothingConfigured(llvm::StringRef text);

} // namespace warplint
