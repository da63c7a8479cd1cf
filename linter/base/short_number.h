// Numbers as all reports print them.
#pragma once
#include <string>

namespace warplint {

/// "16", "3.94": at most two decimals, and none from 1000 on.
std::string shortNumber(double value);

} // namespace warplint
