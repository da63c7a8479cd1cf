#include "run/shard.h"
#include "base/failure.h"
#include "base/listed.h"
#include "base/plural.h"
#include "base/regular_file.h"
#include "cache/record.h"
#include "cache/store.h"
#include "os/write_file.h"
#include "run/report_context.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <numeric>
#include <random>

using namespace llvm;

namespace warplint {

std::vector<bool> shareOf(ArrayRef<uint64_t> sizes, const Shard &shard) {
  std::vector<size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  stable_sort(order, [&](size_t a, size_t b) { return sizes[a] > sizes[b]; });
  // Each source, largest first, goes to the smallest share. Headers cost about
  // the same for each source.
  constexpr uint64_t headers = 1 << 14;
  std::vector<uint64_t> loads(shard.count);
  std::vector<bool> share(sizes.size());
  for (size_t source : order) {
    const size_t least = llvm::min_element(loads) - loads.begin();
    loads[least] += sizes[source] + headers;
    share[source] = least + 1 == shard.index;
  }
  return share;
}

void putShareFirst(std::vector<size_t> &sources, const std::vector<bool> &share,
                   const Shard &shard) {
  auto others = std::stable_partition(sources.begin(), sources.end(),
                                      [&](size_t i) { return share[i]; });
  std::shuffle(others, sources.end(), std::mt19937(shard.index));
}

constexpr StringLiteral shardHead = "warplint shard\n";

Error saveShard(const std::string &file, const ShardReport &report) {
  return writeFile(file, [&](raw_ostream &out) {
    out << shardHead << report.program << '\n' << toRecord(report);
  });
}

static Expected<ShardReport> readShard(const std::string &file) {
  auto buffer = readRegularFile(file, /*needsNullTerminator=*/false);
  if (!buffer)
    return failure("'" + file +
                   "' cannot be read: " + buffer.getError().message());
  StringRef text = (*buffer)->getBuffer();
  if (!text.consume_front(shardHead))
    return failure("'" + file +
                   "' is no part of a report: 'warplint check --shard' "
                   "writes them");
  auto [program, bytes] = text.split('\n');
  if (program != programHash())
    return failure("'" + file + "' was written by another build of warplint");
  auto report = fromRecord<ShardReport>(bytes);
  if (!report)
    return failure("'" + file + "' is damaged or not whole");
  return std::move(*report);
}

/// Fails unless each shard of one run is there once.
static Error checkWhole(ArrayRef<ShardReport> shards,
                        ArrayRef<std::string> files) {
  const ShardReport &first = shards.front();
  std::vector<std::string> from(first.count);
  for (size_t i = 0; i < shards.size(); ++i) {
    if (shards[i].count != first.count || shards[i].total != first.total)
      return failure("'" + files[i] + "' and '" + files[0] +
                     "' are not parts of one report");
    std::string &file = from[shards[i].index - 1];
    if (!file.empty())
      return failure("'" + file + "' and '" + files[i] + "' are both part " +
                     Twine(shards[i].index) + " of " + Twine(first.count));
    file = files[i];
  }
  std::vector<std::string> missing;
  for (size_t i = 0; i < from.size(); ++i)
    if (from[i].empty())
      missing.push_back(std::to_string(i + 1));
  if (missing.empty()) {
    uint64_t sources = 0; // nothing is allocated for a `total` that is not it
    for (const ShardReport &shard : shards)
      sources += shard.places.size();
    return sources == first.total
               ? Error::success()
               : failure("the parts have " + counted(sources, "source") +
                         " of " + Twine(first.total) +
                         ": they are of different trees");
  }
  return failure(plural(missing.size() == 1, "part") + " " + listed(missing) +
                 " of " + Twine(first.count) +
                 (missing.size() == 1 ? " is missing" : " are missing"));
}

/// The report context of all shards.
static Expected<ReportContext> contextOf(std::vector<ShardReport> &shards,
                                         ArrayRef<std::string> files) {
  ReportContext all;
  for (size_t i = 0; i < shards.size(); ++i) {
    if (!shards[i].context)
      return failure("'" + files[i] +
                     "' has nothing of what this format shows beside "
                     "findings: 'warplint check --shard' takes the same "
                     "'--format'");
    append(all, std::move(*shards[i].context));
  }
  return settled(std::move(all));
}

Expected<MergedShards> mergeShards(ArrayRef<std::string> files,
                                   bool showsContext) {
  std::vector<ShardReport> shards;
  for (const std::string &file : files) {
    auto shard = readShard(file);
    if (!shard)
      return shard.takeError();
    shards.push_back(std::move(*shard));
  }
  return mergeShards(std::move(shards), files, showsContext);
}

Expected<MergedShards> mergeShards(std::vector<ShardReport> shards,
                                   ArrayRef<std::string> files,
                                   bool showsContext) {
  if (Error error = checkWhole(shards, files))
    return error;
  MergedShards merged;
  if (showsContext) {
    auto context = contextOf(shards, files);
    if (!context)
      return context.takeError();
    merged.context = std::move(*context);
  }
  Outcomes &all = merged.outcomes;
  all.notes = shards.front().outcomes.notes;
  all.areAll = shards.front().outcomes.areAll;
  std::vector<std::optional<SourceOutcome>> sources(shards.front().total);
  for (size_t i = 0; i < shards.size(); ++i)
    for (size_t at = 0; at < shards[i].places.size(); ++at) {
      std::optional<SourceOutcome> &source = sources[shards[i].places[at]];
      if (source)
        return failure("'" + files[i] + "' has '" + source->source +
                       "', which another part has as well: they are of "
                       "different trees");
      source = std::move(shards[i].outcomes.sources[at]);
    }
  for (std::optional<SourceOutcome> &source : sources) {
    if (!source)
      return failure("some source is in no part: they are of different trees");
    all.sources.push_back(std::move(*source));
  }
  return merged;
}

} // namespace warplint
