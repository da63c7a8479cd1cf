// The fields of what a run passes between its processes and keeps, for records
// (cache/record.h).
#pragma once
#include "findings/record_fields.h"
#include "report/record_fields.h"
#include "run/shard.h"
#include "source/record_fields.h"

namespace warplint {

// clang-format off
WARPLINT_FIELDS(Reading, model, whyNot, key)
WARPLINT_FIELDS(Outline, kernels, launches, errors, notRead, userFiles, markedFiles)
WARPLINT_FIELDS(LastReading, system, own, libraries, key, outline)
WARPLINT_FIELDS(CompileOutcome, whyNot, isWhole, byChance)
WARPLINT_FIELDS(Linted, findings, compile)
WARPLINT_FIELDS(SourceOutcome, source, hasToolkit, whyNot, outline, errorPlace, notes, linted, isCrashed, enabled, reported, uselessLevel)
WARPLINT_FIELDS(Outcomes, sources, notes, areAll)
WARPLINT_FIELDS(ShardReport, program, index, count, total, places, outcomes, around)
// clang-format on

} // namespace warplint
