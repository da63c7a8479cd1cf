// Findings to what they are known by from one state of the source to the next:
// in a baseline, in a code-scanning service, in a link to a report.
//
// A finding is the same as long as its check, the statement it stands in (and
// those of the calls that lead there), its kernel and what it is about are.
// Statements are compared without comments, white space and line breaks, so
// moved lines and a formatter leave no trace; kernels without their template
// arguments, since the findings of all instances are one. What is equal in all
// that is counted in the order of the source.
#pragma once
#include "findings/finding.h"
#include "input/buffers.h"
#include "llvm/ADT/ArrayRef.h"

namespace warplint {

struct Fingerprint {
  std::string text;  ///< 16 hexadecimal digits; unique in a report
  std::string moved; ///< the same without the file's name: equal, and perhaps
                     ///< not unique, once a function is in another file
  /// The file, the check, the statements and the kernel alone: several findings
  /// on the parts of one statement share it.
  std::string statement;
};

/// One for each of `findings`, which are all that a run has found, the refuted
/// among them, in the order of the report.
std::vector<Fingerprint> fingerprints(llvm::ArrayRef<Finding> findings,
                                      const Buffers &buffers = {});

} // namespace warplint
