// A file in a project's repository that says which findings are known, so that
// an old tree can hold itself to no new ones.
#pragma once
#include "findings/finding.h"
#include "findings/fingerprint.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

namespace warplint {

/// One known finding. All but the two identities is for people.
struct KnownFinding {
  Fingerprint fingerprint;
  std::string check, file, kernel, message;
};

struct Baseline {
  std::vector<std::string> sources; ///< that were read for it
  std::vector<KnownFinding> findings;
};

/// The findings that are not refuted. `all` are all that a run found, in the
/// order of its report; `sources` are absolute, as the findings' files are, and
/// both are written relative to `folder`.
void printBaseline(llvm::ArrayRef<Finding> all,
                   llvm::ArrayRef<std::string> sources,
                   const std::string &folder, llvm::raw_ostream &out);

/// Fails, with a sentence that names `file`, on what is none, is cut off, or is
/// of another schema. The names are made absolute again, from `folder`.
llvm::Expected<Baseline> readBaseline(llvm::StringRef text,
                                      const std::string &file,
                                      const std::string &folder);

struct BaselineResult {
  std::vector<Finding> findings;  ///< what is new, and what is refuted
  unsigned known = 0;             ///< findings that were taken away
  std::vector<KnownFinding> gone; ///< that this run would have found
};

/// What moved to another file is still known. `read`: the sources that were
/// read whole. A finding of a header can be told to be gone if all sources of
/// the baseline that still exist are among them, one of a source if it is.
/// `ran`: the checks that looked.
BaselineResult applyBaseline(std::vector<Finding> all, const Baseline &baseline,
                             const std::set<std::string> &read,
                             const std::set<std::string> &ran);

} // namespace warplint
