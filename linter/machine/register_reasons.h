// What holds a kernel's registers to why they are so many.
#pragma once
#include "machine/register_report.h"
#include <string>
#include <vector>

namespace warplint {

struct LaunchLimits;
struct Usage;
class StatementFiles;

/// Phrases, the one that explains most first: copies of an unrolled loop, an
/// inlined function, 64-bit addresses, double, limits.
std::vector<std::string> reasonsOf(const RegisterReport &report,
                                   const Usage &usage,
                                   const LaunchLimits &limits,
                                   StatementFiles &files);

} // namespace warplint
