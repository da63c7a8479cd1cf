// How loud a finding is where a format has words for that.
#pragma once
#include "findings/finding.h"

namespace warplint {

/// Certain, likely and opinion; what the compiled code refutes is none of them.
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
