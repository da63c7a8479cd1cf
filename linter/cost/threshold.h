// The numbers of a check that a project may set: from where on something is
// reported there.
#pragma once
#include <map>
#include <string_view>

namespace warplint {

/// One such number, at namespace scope in the check's own file.
struct Threshold {
  std::string_view name; ///< "sectors", as `.warplint.yaml` calls it
  unsigned value;        ///< unless it is set
  unsigned low, high;    ///< what it can sensibly be
  std::string_view what; ///< "sectors per request from which on ..."
};

/// What is set for the thresholds of a source.
using Tuning = std::map<const Threshold *, unsigned>;

inline unsigned valueOf(const Threshold &threshold, const Tuning &tuning) {
  auto set = tuning.find(&threshold);
  return set == tuning.end() ? threshold.value : set->second;
}

} // namespace warplint
