// Headers that a build generates from a template of the project: "config.h"
// from "config.h.in".
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace warplint {

/// Returns the names that the template of such a header may have, for CMake and
/// for Autoconf, without a folder: "config.h.in".
std::vector<std::string> templateNames(llvm::StringRef header);

/// Returns the name of the header that a file of that name is a template of;
/// empty for another file.
std::string headerOfTemplate(llvm::StringRef name);

/// The value of a variable that the project's build files settle, if they do.
using ConfiguredValue =
    std::function<std::optional<std::string>(llvm::StringRef name)>;

/// Returns the header that a build makes of a template which switches on what
/// `valueOf` settles, and nothing else: what `#cmakedefine` and `#undef` leave
/// open is not defined here, and `@VALUE@` or `${VALUE}` is 0, nothing in a
/// string, and VALUE where a name must stand. Lines that are such a value, or
/// include one, are blank: no line moves.
std::string withConfigured(llvm::StringRef text,
                           const ConfiguredValue &valueOf = {});

struct GeneratedHeader {
  std::string name; ///< as an #include spells it: "heat/config.h"
  std::string text;
};

/// Writes headers into one folder below `kept`, which depends on nothing but
/// them, and returns it; empty if it cannot be written, or if a name leads out
/// of it.
std::string writtenBelow(llvm::StringRef kept,
                         llvm::ArrayRef<GeneratedHeader> headers);

} // namespace warplint
