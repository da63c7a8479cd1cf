// One report made on several machines: each lints its share of the sources, and
// one puts the shares together.
#pragma once
#include "report/page.h"
#include "run/options.h"
#include "run/outcome.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace warplint {

/// Shares of about the same cost, as far as the sizes of sources tell: the same
/// on every machine that has the same tree. True for those of `shard`.
std::vector<bool> shareOf(llvm::ArrayRef<uint64_t> sizes, const Shard &shard);

/// What one machine has found out.
struct ShardReport {
  std::string program; ///< which build of this program
  unsigned index = 1, count = 1;
  uint64_t total = 0;           ///< sources of all shards
  std::vector<uint64_t> places; ///< of this one's among all
  Outcomes outcomes;
  std::optional<ReportContext> around; ///< as they came, if they were asked for
};

llvm::Error saveShard(const std::string &file, const ShardReport &report);

struct MergedShards {
  Outcomes outcomes;
  ReportContext around; ///< settled; none if they were not asked for
};

/// The outcomes of all sources, as if one machine had linted them, and what
/// stands beside them if that is asked for. Fails if a file is none, lacks what
/// is asked for, or is of another program or tree, and if a shard is missing.
llvm::Expected<MergedShards> mergeShards(llvm::ArrayRef<std::string> files,
                                         bool showsContext);

} // namespace warplint
