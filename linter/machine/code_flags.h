// A build's flags to those that decide about the machine code.
#pragma once
#include <string>
#include <vector>

namespace warplint {

/// Of the arguments of a run for judging (judging_arguments.h), in their order
/// and as one text: macros, register limits, the arithmetic's precision, what
/// ptxas and the optimiser are told. Include paths, warnings, the host
/// compiler's flags and the architecture are left out.
std::string codeFlags(const std::vector<std::string> &judgingArguments);

} // namespace warplint
