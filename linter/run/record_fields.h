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
WARPLINT_FIELDS(ReadEnd, key, milliseconds)
WARPLINT_FIELDS(ReadResult, model, end)
WARPLINT_FIELDS(CachedRead, system, own, libraries, key, outline)
WARPLINT_FIELDS(CalledFunction, name, parameters, source)
WARPLINT_FIELDS(WrittenCalls, passed, isNamed)
WARPLINT_FIELDS(CompileOutcome, whyNot, isWhole, byChance)
WARPLINT_FIELDS(Linted, findings, compile, tooLong, onlyCompiled)
WARPLINT_FIELDS(SourceOutcome, source, hasToolkit, isBare, outline, errorPlace, notes, linted, notLinted, enabled, reported, uselessLevel)
WARPLINT_FIELDS(Outcomes, sources, notes, areAll)
WARPLINT_FIELDS(ShardReport, program, index, count, total, places, outcomes, context)
// clang-format on

inline bool isSound(const ReadResult &result) { return isSound(result.model); }

inline bool isSound(const Linted &linted) {
  return llvm::all_of(linted.findings,
                      [](const Finding &finding) { return isSound(finding); });
}

/// A launch's arguments are looked up by parameter.
inline bool isSound(const CallsByFunction &calls) {
  return llvm::all_of(calls, [](const auto &of) {
    return llvm::all_of(of.second.passed, [&](const auto &arguments) {
      return arguments.size() == of.first.parameters;
    });
  });
}

/// Merging indexes by `index` and `places`.
inline bool isSound(const ShardReport &shard) {
  constexpr unsigned most = 10'000; // as of --shard
  return shard.index >= 1 && shard.index <= shard.count &&
         shard.count <= most &&
         shard.places.size() == shard.outcomes.sources.size() &&
         llvm::all_of(shard.places,
                      [&](uint64_t place) { return place < shard.total; }) &&
         llvm::all_of(shard.outcomes.sources,
                      [](const SourceOutcome &source) {
                        return isSound(source.linted) &&
                               (!source.uselessLevel ||
                                isIn(*source.uselessLevel, Level::Opinion));
                      }) &&
         (!shard.context || isSound(*shard.context));
}

} // namespace warplint
