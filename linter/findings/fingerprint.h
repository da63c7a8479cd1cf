// Computes fingerprints that identify findings across changes of the source: in
// a baseline, in a code-scanning service, in a link to a report.
//
// A fingerprint depends on the check, the statement of the finding (and of the
// calls that lead there), the kernel and the finding's subject. Statements are
// compared without comments, white space and line breaks, so moving lines and
// reformatting do not change it; kernels without template arguments, since all
// instances share a finding. Findings that are equal in all of these are
// numbered in the order of the source.
#pragma once
#include "findings/finding.h"
#include "input/buffers.h"
#include "llvm/ADT/ArrayRef.h"

namespace warplint {

struct Fingerprint {
  std::string text;  ///< 16 hexadecimal digits; unique in a report
  std::string moved; ///< the same without the file's name: it survives a move
                     ///< to another file, and may not be unique
  /// The file, the check, the statements and the kernel alone: findings in one
  /// statement share it.
  std::string statement;
};

/// One for each of `findings`: all findings of a run, refuted ones included, in
/// the order of the report.
std::vector<Fingerprint> fingerprints(llvm::ArrayRef<Finding> findings,
                                      const Buffers &buffers = {});

} // namespace warplint
