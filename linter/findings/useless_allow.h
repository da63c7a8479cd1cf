// The check for comments that suppress nothing.
#pragma once
#include "findings/check.h"

namespace warplint {

/// Not enrolled, since it inspects no kernel; `findCheck` knows it.
const Check &uselessAllow();

/// Returns true if a finding is about a comment and not about performance.
inline bool isAboutComment(const Finding &finding) {
  return finding.check == uselessAllow().info.id;
}

} // namespace warplint
