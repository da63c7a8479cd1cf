// `// warplint: allow(<id>) <reason>` in the source, on a finding's line or on
// the line above it, takes the finding away.
#pragma once
#include "findings/finding.h"
#include "llvm/ADT/StringRef.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace warplint {

/// One comment that allows something.
struct Allowance {
  Place place; ///< of the comment
  std::string check;
  std::string reason;
  bool ownLine = false; ///< nothing but the comment is on its line
};

/// Every allowance in the text of `file`; an id list, `allow(a, b)`, gives one
/// for each id.
std::vector<Allowance> readAllowances(const std::string &file,
                                      llvm::StringRef text);

struct Suppressed {
  std::vector<Finding> findings; ///< what is left
  unsigned hidden = 0;
  std::vector<std::string> notes; ///< allowances without a reason, for a check
                                  ///< that is none, or that hide nothing
};

/// Applies the allowances of the files that findings stand in, and of
/// `sources`, whose useless ones are reported. `known` says which ids exist,
/// `ran` which checks looked: only those can have an allowance to no purpose.
Suppressed suppress(std::vector<Finding> findings,
                    const std::vector<std::string> &sources,
                    const std::vector<std::string> &known,
                    const std::vector<std::string> &ran);

} // namespace warplint
