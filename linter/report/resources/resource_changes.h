// Compares two reports of resources.
#pragma once
#include "report/resources/resources.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace warplint {

/// The most costly difference decides: a kernel that spills less and has a
/// lower occupancy is better. Spills, then the stack frame, then predicted
/// cycles, if they differ by more than 5 %, then occupancy; registers alone are
/// no change.
enum class Direction { Worse, Better, New, Gone };

struct ResourceChange {
  Direction direction = Direction::New;
  ResourceRow before;   ///< empty for a new kernel
  ResourceRow after;    ///< equal to `before` for a kernel that is gone
  unsigned sources = 1; ///< that compile the same template
  /// "spill stores 0 -> 24", "registers 64 -> 72"; the plain numbers of a
  /// kernel that is new or gone: "registers 64".
  std::vector<std::string> what;
};

/// True if it is worse, or new and spills.
bool isWorse(const ResourceChange &change);

struct ResourceComparison {
  /// Worse, better, new, gone; the most costly first in each.
  std::vector<ResourceChange> changes;
  unsigned unchanged = 0;
  /// Other toolkits, other flags, renumbered lambdas.
  std::vector<std::string> notes;
  /// One sentence for each reason why kernels were not compared.
  std::vector<std::string> missing;
};

/// Matches kernels by signature, architecture, source and flags; then without
/// the flags; then by the file name of the source alone, since its folder may
/// be renamed; then by signature and architecture, since a kernel may move to
/// another file. Signatures contain neither hashes of files nor lines. The
/// lambdas of a function are numbered: if their number changed, those with
/// equal resources are matched in order.
///
/// `mayBeGone`: true if a row of `before` would be in `after` if it still
/// existed, which is false for sources that were not read.
ResourceComparison
compareResources(const ResourceReport &before, const ResourceReport &after,
                 llvm::function_ref<bool(const ResourceRow &)> mayBeGone);

} // namespace warplint
