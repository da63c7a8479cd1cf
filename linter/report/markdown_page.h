// The page of a check as markdown, for help beside a finding.
#pragma once
#include "findings/check.h"
#include <string>

namespace warplint {

std::string markdownPage(const CheckInfo &info);

} // namespace warplint
