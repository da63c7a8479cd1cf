// The precompiled headers that `parse` uses for a source, for those who do not
// parse it.
#pragma once
#include "cache/store.h"
#include "input/command.h"
#include "input/toolkit.h"
#include "input/translate.h"
#include <optional>
#include <string>

namespace warplint {

/// Returns the cached precompiled header with these `libraries` that `parse`
/// would use, which depends on the files in the folders of -I; empty if there
/// is none.
std::string cachedPrecompiledHeader(const Command &command,
                                    const Translation &translation,
                                    const std::optional<Toolkit> &toolkit,
                                    const std::string &resourceDir,
                                    const Store &kept,
                                    const std::string &libraries);

/// Deletes the precompiled headers that `parse` would use for this source.
void dropPrecompiledHeaders(const Command &command,
                            const Translation &translation,
                            const std::optional<Toolkit> &toolkit,
                            const std::string &resourceDir, const Store &kept);

} // namespace warplint
