// Finds addresses whose strides are all arguments: `p[i * s0 + j * s1]`, where
// one of the strides is 1, but only the run knows which.
#pragma once
#include "model/model.h"

namespace warplint {

/// Returns true if the address multiplies each varying term by a value that
/// only the run knows, and uses several such values, or the one of a vector. In
/// `a[row * n + k]` the counter `k` runs along the row, so `n` is its length,
/// and large; if every term has a stride, any of them may be the small one.
/// What each iteration of a loop adds has a stride of its own: `offset +=
/// index[d] * strides[d]`.
bool hasFreeStrides(const Kernel &kernel, const Access &access);

/// Returns true if a value that only the run knows multiplies all that makes up
/// the index, as in `x[i * stride]`, and no other index of the kernel has a row
/// of that length, as `x[i * stride + k]` would: it may well be 1.
bool hasSpareStride(const Kernel &kernel, const Access &access);

} // namespace warplint
