// Thresholds of checks that a project may set.
#pragma once
#include <map>
#include <string_view>

namespace warplint {

/// A threshold, at namespace scope in the check's own file.
struct Threshold {
  std::string_view name; ///< "sectors", as `.warplint.yaml` calls it
  unsigned value;        ///< the default
  unsigned low, high;    ///< the accepted range
  std::string_view what; ///< "sectors per request from which on ..."
};

/// The thresholds that are set for a source.
using Tuning = std::map<const Threshold *, unsigned>;

inline unsigned valueOf(const Threshold &threshold, const Tuning &tuning) {
  auto set = tuning.find(&threshold);
  return set == tuning.end() ? threshold.value : set->second;
}

} // namespace warplint
