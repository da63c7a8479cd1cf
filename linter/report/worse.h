// Kernels that use more resources than at an earlier commit, as findings, for
// formats that have only findings.
#pragma once
#include "report/report.h"

namespace warplint {

/// The id of such findings; no check has it.
inline constexpr const char *worseKernel = "worse-kernel";

/// Adds a confirmed finding at each kernel that got worse. `folder`: paths of
/// the rows are relative to it.
Report worseAsFindings(Report report, const std::string &folder);

} // namespace warplint
