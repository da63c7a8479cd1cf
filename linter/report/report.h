// The result of one run, ready to print.
#pragma once
#include "findings/finding.h"
#include "input/buffers.h"
#include <set>
#include <string>
#include <vector>

namespace warplint {

/// A source that was not read, or only in part.
struct UnreadSource {
  std::string source;         ///< absolute path
  std::string firstError;     ///< Clang's first error, "file:line: text"
  bool anyKernelRead = false; ///< some of its kernels were linted
  Place place = {};           ///< of that error, if known
};

/// A kernel for which Clang emitted no code.
struct UnreadKernel {
  std::string source; ///< absolute path
  std::string name;   ///< "ns::gather"
  std::string why;    ///< "it, or a function it calls, has an error: ..."
};

struct Report {
  std::vector<Finding> findings;    ///< merged, sorted, including refuted ones
  std::vector<std::string> sources; ///< absolute; those that were read whole
  std::set<std::string> files;      ///< absolute; all user files that were read
  std::vector<UnreadSource> unread;
  std::vector<UnreadKernel> unreadKernels;
  std::vector<std::string> notes; ///< for the end: dead database, no nvcc, ...
  unsigned known = 0;   ///< findings in the baseline; not in `findings`
  unsigned allowed = 0; ///< findings that comments allow; not in `findings`
  unsigned minor = 0;   ///< minor findings that are not in `findings`
  unsigned beyond = 0;  ///< findings beyond --max-findings, not in `findings`
  unsigned sourcesRead = 0, kernelsRead = 0; ///< and linted
  unsigned kernelsInPart = 0; ///< with code or addresses not followed
  unsigned kernelTemplatesIdle = 0; ///< of which no source has an instance
  /// Findings that are confirmed under a condition do not fail the run.
  bool unconditionalOnly = false;
  Buffers buffers; ///< text of files that is not on the disk
};

enum class ExitCode { Clean = 0, Findings = 1, Failed = 2, Unread = 3 };

/// Merges findings that have the same place, check and subject, with all their
/// kernels. Sorts by file, line, column, check. The result does not depend on
/// the order of the input.
std::vector<Finding> mergeFindings(std::vector<Finding> findings);

/// 1 (a finding that is not refuted) takes precedence over 3 (a source that was
/// not read). Useless allowances count if a configuration raises their level.
ExitCode exitCode(const Report &report);

} // namespace warplint
