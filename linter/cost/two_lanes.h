// Describes an access by the addresses of two lanes, so that a person can check
// it by hand.
#pragma once
#include "cost/lanes.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>
#include <string>

namespace warplint {

/// Compares lanes of a kernel's first warp in the first iteration of all loops.
/// Keeps all values: a kernel's expressions share most of their parts, so one
/// object answers all questions about it. The shapes must outlive it.
class TwoLanes {
public:
  explicit TwoLanes(const Kernel &kernel);
  ~TwoLanes();

  /// "lane 0 reads a[0], lane 1 reads a[1024]" if each lane moves one whole
  /// element of the subscripted array. If the start is unknown, "lane 0 reads
  /// a[...], lane 1 reads a[... + n]"; for parts of an element, "lane 1 reads
  /// 'p[i].x' 32 bytes after lane 0". Empty if the distance depends on more
  /// than one unknown size. True for all probe values tried.
  std::string note(const KernelShape &shape, const Access &access,
                   unsigned first, unsigned second);

  /// True if the lanes have different values of `value`; nothing if unknown.
  std::optional<bool> differ(const KernelShape &shape, ValueId value,
                             unsigned first, unsigned second);

private:
  struct Facts;
  struct Warps;
  class Note;
  Warps &warpsOf(const KernelShape &shape);

  const Kernel &kernel_;
  std::unique_ptr<const Facts> facts_; ///< made by the first note
  llvm::DenseMap<const KernelShape *, std::unique_ptr<Warps>> warps_;
};

/// The first two neighbouring active lanes that need different sectors; else
/// that have different addresses; else 0 and 1.
std::pair<unsigned, unsigned> neighbouringLanes(const Cost &cost);

} // namespace warplint
