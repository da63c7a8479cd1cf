// Kernels that take more than at an earlier commit to findings, for formats
// that know nothing else.
#pragma once
#include "report/report.h"

namespace warplint {

/// The id of such findings; no check has it.
inline constexpr const char *worseKernel = "worse-kernel";

/// The report with a confirmed finding for each kernel that got worse, where
/// the kernel is. `folder`: what the paths of the rows are relative to.
Report worseAsFindings(Report report, const std::string &folder);

} // namespace warplint
