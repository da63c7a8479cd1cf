// The reports that `warplint wrap` left in a build folder to one report.
#pragma once
#include "report/report.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace warplint {

struct Collected {
  Report report;
  std::vector<std::string> objects; ///< of the reports that it is made of
};

/// A finding of a header that many sources see stands in it once. Left out, and
/// told in a note, are reports whose object is gone or was made anew since.
/// Fails if there is no such folder, or no report in it.
llvm::Expected<Collected> collect(llvm::StringRef folder);

} // namespace warplint
