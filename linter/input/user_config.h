// The user's own configuration, which no repository can write: it says what a
// project's .warplint.yaml must not say.
#pragma once
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace warplint {

/// The globs of 'trust-compilers' in $XDG_CONFIG_HOME/warplint/config.yaml, or
/// ~/.config/warplint/config.yaml; empty if there is no such file. Fails with
/// "file:line:column: ..." if the file says anything else.
llvm::Expected<std::vector<std::string>> compilersTrustedByUser();

} // namespace warplint
