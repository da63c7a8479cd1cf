// The baseline: a file in a project's repository that lists known findings, so
// that `check` reports only new ones.
#pragma once
#include "findings/finding.h"
#include "findings/fingerprint.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

namespace warplint {

/// One known finding. Only the two identities are compared; the rest is for
/// people.
struct KnownFinding {
  Fingerprint fingerprint;
  std::string check, file, kernel, message;
};

struct Baseline {
  std::vector<std::string> sources; ///< that were read to write it
  std::vector<KnownFinding> findings;
};

/// Returns the findings that are not refuted. `all` has all findings of a run
/// in the order of its report. `sources` and the files of findings are
/// absolute; the result has them relative to `folder`.
void printBaseline(llvm::ArrayRef<Finding> all,
                   llvm::ArrayRef<std::string> sources,
                   const std::string &folder, llvm::raw_ostream &out);

/// Fails with a sentence that names `file` if the text is no baseline, is cut
/// off, or has another schema. Makes names absolute from `folder`.
llvm::Expected<Baseline> readBaseline(llvm::StringRef text,
                                      const std::string &file,
                                      const std::string &folder);

struct BaselineResult {
  std::vector<Finding> findings;  ///< new or refuted
  unsigned known = 0;             ///< findings removed from the report
  std::vector<KnownFinding> gone; ///< which this run no longer finds
};

/// A finding that moved to another file is still known. `read`: the sources
/// that were read whole. A finding in a source is gone only if that source was
/// read; one in a header only if all sources of the baseline that still exist
/// were. `ran`: the checks that ran.
BaselineResult applyBaseline(std::vector<Finding> all, const Baseline &baseline,
                             const std::set<std::string> &read,
                             const std::set<std::string> &ran,
                             const Buffers &buffers = {});

} // namespace warplint
