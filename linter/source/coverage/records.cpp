#include "cache/define_records.h"
#include "model/record_fields.h"
#include "source/coverage/coverage.h"

namespace warplint {

// clang-format off
WARPLINT_FIELDS(Coverage::Example, place, text)
WARPLINT_FIELDS(Coverage::Reason, count, first)
WARPLINT_FIELDS(Coverage, expressions, withAccess, without, unexplained, withoutExpression)
// clang-format on

WARPLINT_RECORD(std::vector<Coverage>);

} // namespace warplint
