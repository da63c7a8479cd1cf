// One report made on several machines: each lints its share of the sources, and
// one machine merges the results.
#pragma once
#include "report/page.h"
#include "run/options.h"
#include "run/outcome.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace warplint {

/// Splits sources into shares of about the same size; true for the sources of
/// `shard`. The same on every machine that has the same tree.
std::vector<bool> shareOf(llvm::ArrayRef<uint64_t> sizes, const Shard &shard);

/// Orders sources to read. Each shard reads all sources, and shards share a
/// cache: a shard begins with its own sources, in the order that they have, and
/// takes the others in an order of its own, so that another shard has read most
/// of them when it comes to them.
void putShareFirst(std::vector<size_t> &sources, const std::vector<bool> &share,
                   const Shard &shard);

/// The results of one machine.
struct ShardReport {
  std::string program; ///< hash of this program
  unsigned index = 1, count = 1;
  uint64_t total = 0;           ///< sources of all shards
  std::vector<uint64_t> places; ///< indexes of its sources among all
  Outcomes outcomes;
  std::optional<ReportContext> context; ///< not settled; if it is asked for
};

llvm::Error saveShard(const std::string &file, const ShardReport &report);

struct MergedShards {
  Outcomes outcomes;
  ReportContext context; ///< settled; empty unless it is asked for
};

/// The outcomes of all sources, as if one machine had linted them, and the
/// report context if it is asked for. Fails if a shard is missing, cannot be
/// read, has no context that is asked for, or is of another program or tree.
llvm::Expected<MergedShards> mergeShards(llvm::ArrayRef<std::string> files,
                                         bool showsContext);
/// The same for shards that are read already, at least one, from these files.
llvm::Expected<MergedShards> mergeShards(std::vector<ShardReport> shards,
                                         llvm::ArrayRef<std::string> files,
                                         bool showsContext);

} // namespace warplint
