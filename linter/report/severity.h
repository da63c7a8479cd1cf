// The severity of a finding in formats that have one.
#pragma once
#include "findings/finding.h"

namespace warplint {

/// For certain, likely and opinion; a refuted finding has none of them.
enum class Severity { Error, Warning, Note, None };

inline Severity severity(Level level) {
  return level == Level::Certain  ? Severity::Error
         : level == Level::Likely ? Severity::Warning
                                  : Severity::Note;
}

inline Severity severity(const Finding &finding) {
  return finding.verdict() == Verdict::Refuted ? Severity::None
                                               : severity(finding.level);
}

} // namespace warplint
