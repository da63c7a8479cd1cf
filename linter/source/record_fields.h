// The fields of what was read of a source, for records (cache/record.h).
#pragma once
#include "model/record_fields.h"
#include "source/read.h"

namespace warplint {

// clang-format off
WARPLINT_FIELDS(ParseError, file, line, column, text)
WARPLINT_FIELDS(DroppedKernel, name, place, error)
WARPLINT_FIELDS(SourceModel, kernels, launches, errors, notRead, systemFiles, userFiles, markedFiles, asked, libraries, observed)
// clang-format on

} // namespace warplint
