// The fields of what a run passes between processes, machines and runs, for
// records (cache/record.h).
#pragma once
#include "findings/record_fields.h"
#include "report/record_fields.h"
#include "run/run_cache.h"
#include "run/shard.h"
#include "source/record_fields.h"

namespace warplint {

// clang-format off
WARPLINT_FIELDS(ReadResult, model, key)
WARPLINT_FIELDS(CachedRead, system, own, libraries, key, outline)
WARPLINT_FIELDS(CompileOutcome, whyNot, isWhole, byChance)
WARPLINT_FIELDS(Linted, findings, compile, tooLong)
WARPLINT_FIELDS(SourceOutcome, source, hasToolkit, outline, errorPlace, notes, linted, notLinted, enabled, reported, uselessLevel)
WARPLINT_FIELDS(Outcomes, sources, notes, areAll)
WARPLINT_FIELDS(ShardReport, program, index, count, total, places, outcomes, context)
// clang-format on

} // namespace warplint
