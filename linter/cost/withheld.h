// Loads that a write through another pointer keeps where they are.
#pragma once
#include "cost/kernel_time.h"
#include <optional>
#include <vector>

namespace warplint {

/// A load that nothing but a write through another pointer keeps from being
/// made once, or ahead.
struct Withheld {
  unsigned load = 0;
  ValueId pointer = 0;   ///< that it goes through
  bool isMember = false; ///< that is a member of a structure
  /// Its innermost; that around it, if the compiler unrolls the innermost one
  /// and that writes nothing. None of a load in no loop.
  std::optional<LoopId> loop;
  /// The write in the loop, or the store before the load; none if a barrier in
  /// the loop stands for the writes of other threads.
  std::optional<unsigned> write;
  /// Its address is the same in each iteration: it could leave the loop.
  bool isInvariant = false;
};

/// Loads through pointers that a launch passes, that the kernel only reads and
/// that are not declared '__restrict__', in loops where no pointer written in
/// the loop is either, and behind stores in code without loops. In the order of
/// the code. Without a promise in the source the compiler has to assume that
/// the write changes what is loaded; with '__restrict__' on the output alone or
/// on the input alone it need not (read from the PTX of CUDA 13.0, for stores
/// and for atomics). Of loads through members those that could be made ahead: a
/// promise has no effect there but for a local copy of the pointer, and for
/// what is the same in each iteration a local copy of that does as well.
std::vector<Withheld> withheldLoads(const CostedKernel &costed);

/// Returns true if a thread loads the same global element in each iteration of
/// a loop around the load: only a write or a barrier can keep the load there.
bool couldLeave(const CostedKernel &costed, unsigned load, LoopId loop);

/// Loads that leave a loop with its `writes`: those of what is written, as in
/// `a[i] += x`, and those that could leave and that nothing else keeps: no
/// other write, no barrier, no condition on what an iteration loads. None of
/// those that a promise lets the compiler move already.
std::vector<unsigned> loadsKeptBy(const CostedKernel &costed,
                                  llvm::ArrayRef<unsigned> writes, LoopId loop);

/// Returns true if the kernel stores to what has this address.
bool isStored(const Kernel &kernel, ValueId address);

/// What a load moves less where it is made with those of the next iterations,
/// which are in the same sectors: a row for each lane. Between two iterations
/// other lanes' rows take their places in L1.
Demand savedByNeighbours(const CostedKernel &costed, const ShapeCosts &shape,
                         const Withheld &one);

} // namespace warplint
