// Why a value is unknown, in the source's words.
#pragma once
#include "model/model.h"

namespace warplint {

/// The reason for which `why`, a node or `tooLong`, is unknown.
std::string unknownReason(const Kernel &kernel, ValueId why);

} // namespace warplint
