// Selects the flags of a build that affect the machine code.
#pragma once
#include <string>
#include <vector>

namespace warplint {

/// Returns those of a judging run's arguments (judging_arguments.h), in their
/// order and as one text: macros, register limits, floating-point precision,
/// options of ptxas and the optimiser. Leaves out include paths, warnings, the
/// host compiler's flags and the architecture.
std::string codeFlags(const std::vector<std::string> &judgingArguments);

} // namespace warplint
