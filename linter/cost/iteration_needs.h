// Finds what keeps several threads from sharing the iterations of a loop.
#pragma once
#include "cost/costed.h"

namespace warplint {

/// Says if an iteration of a loop needs what an earlier one stored.
enum class Needs { Nothing, Perhaps, Earlier };

/// By the stores and loads of one object whose addresses move with the loop and
/// differ.
Needs needsOf(const CostedKernel &costed, const ShapeCosts &shape, LoopId loop);

/// Returns true if an iteration goes on with what the one before left in the
/// thread's own variables, and not as a counter or a sum does: a state, a
/// position, an array.
bool handsOnState(const Kernel &kernel, LoopId loop);

/// The same for threads that are to share the iterations: one that goes on with
/// the state of the one before needs it, too. An array that sums are in is no
/// state.
Needs needsIfShared(const CostedKernel &costed, const ShapeCosts &shape,
                    LoopId loop);

/// Returns true for the store of `a[i] += x`: a load in the same loops has its
/// address.
bool addsToItself(const Kernel &kernel, const Access &store);

/// Returns true if the iterations have one result together: a sum, a minimum,
/// or an element that each of them writes.
bool haveOneResult(const CostedKernel &costed, const ShapeCosts &shape,
                   LoopId loop);

} // namespace warplint
