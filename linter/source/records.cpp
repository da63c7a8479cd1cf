#include "cache/define_records.h"
#include "source/record_fields.h"

namespace warplint {

WARPLINT_RECORD(PreambleRecord);
WARPLINT_RECORD(SharedLibrariesRecord);
WARPLINT_RECORD(SourceModel);
WARPLINT_RECORD(std::vector<Launch>);

} // namespace warplint
