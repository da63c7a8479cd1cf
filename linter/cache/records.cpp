#include "cache/define_records.h"

namespace warplint {

WARPLINT_RECORD(std::vector<std::string>);

} // namespace warplint
