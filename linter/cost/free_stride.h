// Finds addresses whose strides are all arguments: `p[i * s0 + j * s1]`, where
// one of the strides is 1, but only the run knows which.
#pragma once
#include "model/model.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

namespace warplint {

/// Returns true if the address multiplies each varying term by a value that
/// only the run knows, and uses several such values, or the one of a vector. In
/// `a[row * n + k]` the counter `k` runs along the row, so `n` is its length,
/// and large; if every term has a stride, any of them may be the small one.
/// What each iteration of a loop adds has a stride of its own: `offset +=
/// index[d] * strides[d]`.
bool hasFreeStrides(const Kernel &kernel, const Access &access);

/// The strides of a kernel that may well be 1.
class SpareStrides {
public:
  explicit SpareStrides(const Kernel &kernel) : kernel_(kernel) {}

  /// Returns true if a value that only the run knows multiplies all that makes
  /// up the index, as in `x[i * stride]`, and no other index of the kernel has
  /// a row of that length, as `x[i * stride + k]` would.
  bool has(const Access &access);
  /// The same of an element that a class gives, `view(i)`, by a stride that
  /// the launch passes in one argument with the pointer: who passes a view of
  /// neighbouring elements, as most do, has passed a stride of 1.
  bool hasOfView(const Access &access);

private:
  const Kernel &kernel_;
  llvm::DenseMap<ValueId, bool> isIndex_;
  /// Of rows; read when first asked, from all accesses.
  std::optional<llvm::DenseSet<ValueId>> lengths_;
};

} // namespace warplint
