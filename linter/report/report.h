// Everything that one run has to say, ready to print.
#pragma once
#include "findings/finding.h"
#include "report/resources/resource_changes.h"
#include <set>
#include <string>
#include <vector>

namespace warplint {

/// A source that could not be read whole.
struct UnreadSource {
  std::string source;         ///< absolute path
  std::string firstError;     ///< Clang's first error, "file:line: text"
  bool anyKernelRead = false; ///< some of its kernels were linted all the same
  Place place = {};           ///< of that error, as far as it is known
};

/// A kernel that Clang made no code of.
struct UnreadKernel {
  std::string source; ///< absolute path
  std::string name;   ///< "ns::gather"
  std::string why;    ///< "it, or a function it calls, has an error: ..."
};

struct Report {
  std::vector<Finding> findings;    ///< merged, sorted, refuted ones among them
  std::vector<std::string> sources; ///< absolute, those that were read whole
  std::set<std::string> files; ///< absolute, all of the user's that were read
  std::vector<UnreadSource> unread;
  std::vector<UnreadKernel> unreadKernels;
  /// Kernels that take more than at an earlier commit, if that was asked.
  std::vector<ResourceChange> worse;
  std::vector<std::string> notes; ///< for the end: dead database, no nvcc, ...
  unsigned known = 0;   ///< findings that the baseline knows: not among them
  unsigned allowed = 0; ///< findings that comments allow: not among them
  unsigned sourcesRead = 0, kernelsRead = 0;
};

enum class ExitCode { Clean = 0, Findings = 1, Failed = 2, Unread = 3 };

/// Findings of one place and check that are about the same become one, with all
/// their kernels;
/// the result is sorted by file, line, column, check. Same input in any order,
/// same output.
std::vector<Finding> mergeFindings(std::vector<Finding> findings);

/// 1 beats 3: a finding that is not refuted or a kernel that got worse, then a
/// source that was not read.
/// Useless allowances count where a configuration has raised their level.
ExitCode exitCode(const Report &report);

} // namespace warplint
