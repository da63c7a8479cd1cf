// Names that `wrap` and `collect` share.
#pragma once

namespace warplint {

/// The report of an object stands beside it, under its name with this suffix.
inline constexpr const char *sidecarSuffix = ".warplint.json";

} // namespace warplint
