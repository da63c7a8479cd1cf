// Says of a finding what it costs: the share of its kernel's time.
#pragma once
#include "cost/kernel_time.h"
#include "findings/check.h"

namespace warplint {

/// Sets `share` and `cost` of a finding whose remedy saves `saved` and has
/// `instead` in its place.
void setShare(Finding &finding, const CostedKernel &costed,
              const ShapeCosts &shape, const Demand &saved,
              const Demand &instead = {});

/// The same for a remedy that takes away what the compiler added.
void setShareOfAdded(Finding &finding, const CostedKernel &costed,
                     const ShapeCosts &shape, const Demand &added);

/// The same of spills and the like, in the launch that pays most for these
/// local instructions.
void setShareOfLocals(Finding &finding, const CostedKernel &costed,
                      llvm::ArrayRef<LocalInstruction> locals, unsigned frame);

/// The launch, or the shape, with the greatest share; the first of the same.
const ShapeCosts &dearest(llvm::ArrayRef<const ShapeCosts *> shapes,
                          llvm::function_ref<double(const ShapeCosts &)> share);

/// The same for a remedy that lets an SM hold `then` warps instead of `now`.
void setShareOfWarps(Finding &finding, const CostedKernel &costed,
                     const ShapeCosts &shape, double now, double then);

/// Raises the share of a remedy that also starts one block where the launch
/// starts `together`, if that saves more.
void raiseShareByStarts(Finding &finding, const CostedKernel &costed,
                        const ShapeCosts &shape, double together);

/// The saving if these accesses are coalesced; `sectorFactor` as for
/// `KernelTime::coalesced`.
Demand savedByCoalescing(const KernelTime &time,
                         llvm::ArrayRef<unsigned> accesses,
                         double sectorFactor = 1);

/// The saving if an access has that many wavefronts for each request.
Demand savedByWavefronts(const KernelTime &time, unsigned access,
                         double wavefronts = 1);

/// The saving if a local array is none: its accesses, or, for shared memory,
/// what they take beyond a wavefront for each word there. One whose elements
/// never change is filled once for the block: its stores are no instructions of
/// each call.
Demand savedOfArray(const CostedKernel &costed, const ShapeCosts &shape,
                    unsigned array, bool isForShared = false);

/// What it takes to compare the index of each of its accesses with all elements
/// but one of a local array, a comparison and a select each; of one that a loop
/// counts, with the element of the iteration.
Demand comparisonsOfArray(const CostedKernel &costed, const ShapeCosts &shape,
                          unsigned array);

/// Returns true if one of the local instructions is in a loop that more than
/// one thread of a warp executes, by the source's access nearest to its line.
bool anyRepeats(llvm::ArrayRef<LocalInstruction> locals,
                const CostedKernel &costed);

/// The use that local instructions of the machine code demand, in a frame of
/// `frame` bytes for each thread. Each runs as often as the source's accesses
/// nearest to its line, less the loops that are unrolled: their copies are
/// instructions of their own.
Demand demandOf(llvm::ArrayRef<LocalInstruction> locals, unsigned frame,
                const CostedKernel &costed, const ShapeCosts &shape);

} // namespace warplint
