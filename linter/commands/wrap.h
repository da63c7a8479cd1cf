// A compiler's command to the same compile, linted beside it.
#pragma once
#include "run/options.h"

namespace warplint {

/// What stands behind the name of an object in the name of its report.
inline constexpr const char *sidecarSuffix = ".warplint.json";

/// Runs the command that stands after `--`. Returns its exit code, or 1 if it
/// succeeded and a finding is denied; does not return if the command is nothing
/// to lint.
int wrap(const Options &options);

} // namespace warplint
