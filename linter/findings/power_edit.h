// A power with a constant exponent to the edit that replaces it.
#pragma once
#include "findings/fix.h"
#include "model/model.h"
#include <optional>

namespace warplint {

/// Products, roots and reciprocals that keep the type of the power's result.
/// Returns none for exponents that take a variable of their own.
std::optional<Fix> powerEdit(const Kernel &kernel, const Computation &power,
                             double exponent);

} // namespace warplint
