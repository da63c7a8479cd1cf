// Removes findings that comments allow, and adds a finding for each comment
// that suppresses nothing.
#pragma once
#include "findings/finding.h"
#include "input/buffers.h"
#include "model/outline.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace warplint {

/// The findings in one source, and the code that was inspected for them.
struct SourceFindings {
  std::string source; ///< absolute path
  std::vector<Finding> findings;
  llvm::ArrayRef<KernelOutline> kernels;
  bool isWhole = true; ///< all of it was read
  /// Checks that ran with everything they need.
  std::vector<std::string> ran = {};
  /// Returns true if findings in a file are reported; null: all are.
  std::function<bool(const std::string &file)> reportsIn = {};
  /// Returns true if a file is known to have no allowance; null: none is.
  std::function<bool(const std::string &file)> isSilent = {};
  /// The level of useless allowances; none: not reported.
  std::optional<Level> uselessLevel = Level::Opinion;
};

struct Suppressed {
  std::vector<Finding> findings; ///< not merged, the useless allowances last
  unsigned hidden = 0;
};

/// Applies the allowances in all files of the sources. `known`: all ids of
/// checks. `allSources`: no other source can use an allowance in a header.
Suppressed suppress(std::vector<SourceFindings> sources,
                    const std::vector<std::string> &known, bool allSources,
                    const Buffers &buffers = {});

} // namespace warplint
