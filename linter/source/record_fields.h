// The fields of what was read of a source, for records (cache/record.h).
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
WARPLINT_FIELDS(SourceOutline, whyNot, kernels, launches, errors, notRead, userFiles, markedFiles)
WARPLINT_FIELDS(SourceModel, outline, kernels, coverage, systemFiles, asked, libraries)
// clang-format on

} // namespace warplint
