// Two reports of resources to what changed from one to the other.
#pragma once
#include "report/resources/resources.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace warplint {

/// What is worse is decided by what hurts most of that which differs: a kernel
/// that spills less and uses more registers is better.
enum class Direction { Worse, Better, New, Gone };

struct ResourceChange {
  Direction direction = Direction::New;
  ResourceRow before;   ///< empty if it is new
  ResourceRow after;    ///< the same as before if it is gone
  unsigned sources = 1; ///< of the same template, compiled from several
  /// "spill stores 0 -> 24", "registers 64 -> 72"; of what is new or gone its
  /// numbers: "registers 64".
  std::vector<std::string> what;
};

/// Whether it is worse, or new and spills.
bool isWorse(const ResourceChange &change);

struct ResourceComparison {
  /// Worse, better, new, gone; of each what hurts most first.
  std::vector<ResourceChange> changes;
  unsigned unchanged = 0;
  /// Other toolkits, other flags, lambdas that were numbered anew.
  std::vector<std::string> notes;
  /// Why some kernels could not be compared, a sentence each.
  std::vector<std::string> missing;
};

/// Kernels are the same by signature, architecture, source and flags; then
/// without the flags; then with the source's name alone, since a folder may be
/// called otherwise; then by signature and architecture, since a kernel may
/// move to another file. Signatures hold no hashes of files, and no lines. The
/// lambdas of a function are numbered: if there are more or fewer than before,
/// those with equal numbers are the same, in their order.
///
/// `mayBeGone`: whether a row of `before` would be in `after` if it was still
/// there, which is not so for sources that were not read.
ResourceComparison
compareResources(const ResourceReport &before, const ResourceReport &after,
                 llvm::function_ref<bool(const ResourceRow &)> mayBeGone);

} // namespace warplint
