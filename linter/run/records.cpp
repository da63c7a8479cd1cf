#include "cache/define_records.h"
#include "run/record_fields.h"

namespace warplint {

WARPLINT_RECORD(Reading);
WARPLINT_RECORD(LastReading);
WARPLINT_RECORD(Linted);
WARPLINT_RECORD(ShardReport);

} // namespace warplint
