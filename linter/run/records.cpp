#include "cache/define_records.h"
#include "run/record_fields.h"

namespace warplint {

WARPLINT_RECORD(ReadEnd);
WARPLINT_RECORD(ReadResult);
WARPLINT_RECORD(CachedRead);
WARPLINT_RECORD(Linted);
WARPLINT_RECORD(CallsByFunction);
WARPLINT_RECORD(ShardReport);

} // namespace warplint
