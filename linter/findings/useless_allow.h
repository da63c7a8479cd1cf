// The check on the comments that take findings away.
#pragma once
#include "findings/check.h"

namespace warplint {

/// Not enrolled, since it looks at no kernel; `findCheck` knows it all the
/// same.
const Check &uselessAllow();

/// Whether a finding is about a comment and not about time.
inline bool isAboutComment(const Finding &finding) {
  return finding.check == uselessAllow().info.id;
}

} // namespace warplint
