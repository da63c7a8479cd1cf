// CMake's generate_export_header to the header that it writes for a library.
#pragma once
#include "input/cmake_files.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace warplint {

/// Returns the header that the last of these files, of which each stands in a
/// folder above the next, has CMake write under this name, as an #include
/// spells it; none if it has not. Its macros say nothing of visibility, as
/// those of a static library do.
std::optional<std::string> exportHeader(llvm::StringRef name,
                                        llvm::ArrayRef<CmakeFile> files);

} // namespace warplint
