#include "cache/define_records.h"
#include "machine/record_fields.h"

namespace warplint {

WARPLINT_RECORD(CompiledUnit);

} // namespace warplint
