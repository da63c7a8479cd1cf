// Lists the fields of findings for records (cache/record.h).
#pragma once
#include "findings/finding.h"
#include "model/record_fields.h"

namespace warplint {

// clang-format off
WARPLINT_FIELDS(Judgement, verdict, evidence)
WARPLINT_FIELDS(FindingKernel, name, mangled, architecture, judgement, subject, place)
WARPLINT_FIELDS(Finding, check, level, place, callSites, message, notes, fix, kernels, about, weight)
// clang-format on

} // namespace warplint
