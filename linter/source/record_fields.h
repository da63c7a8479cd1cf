// Fields of the types read from a source, for records (cache/record.h).
#pragma once
#include "model/record_fields.h"
#include "source/read.h"

namespace warplint {

// clang-format off
WARPLINT_FIELDS(Coverage::Example, place, text)
WARPLINT_FIELDS(Coverage::Reason, count, first)
WARPLINT_FIELDS(Coverage, expressions, withAccess, without, unexplained, withoutExpression)
WARPLINT_FIELDS(ParseError, file, line, column, text)
WARPLINT_FIELDS(DroppedKernel, name, place, error)
WARPLINT_FIELDS(SourceModel, kernels, coverage, launches, errors, notRead, systemFiles, userFiles, markedFiles, asked, libraries)
// clang-format on

} // namespace warplint
