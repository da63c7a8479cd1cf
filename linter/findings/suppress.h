// Findings and the comments that allow them to the findings that are left, and
// a finding for each such comment to no purpose.
#pragma once
#include "findings/finding.h"
#include "input/buffers.h"
#include "model/outline.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace warplint {

/// What was found in one source, and what was looked at there.
struct SourceFindings {
  std::string source; ///< absolute path
  std::vector<Finding> findings;
  llvm::ArrayRef<KernelOutline> kernels;
  bool isWhole = true; ///< nothing of it was left unread
  /// Checks that ran, and could see all that they need.
  std::vector<std::string> ran = {};
  /// Whether findings in a file are reported; null: all are.
  std::function<bool(const std::string &file)> reportsIn = {};
  /// Whether a file is known to allow nothing; null: of none that is known.
  std::function<bool(const std::string &file)> isSilent = {};
  /// Of useless allowances; none: they are not reported.
  std::optional<Level> uselessLevel = Level::Opinion;
};

struct Suppressed {
  std::vector<Finding> findings; ///< not merged, the useless allowances last
  unsigned hidden = 0;
};

/// Applies the allowances of all files that the sources' code stands in.
/// `known`: the ids that there are. `allSources`: no other source, which was
/// not looked at, has a use for what stands in a header.
Suppressed suppress(std::vector<SourceFindings> sources,
                    const std::vector<std::string> &known, bool allSources,
                    const Buffers &buffers = {});

} // namespace warplint
