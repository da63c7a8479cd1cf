// In which of a kernel's launches code is executed most often: that one says
// what it costs.
#pragma once
#include "cost/costed.h"

namespace warplint {

/// What stands for the executions of code that no launch of a shape executes:
/// such code costs little, and has a cost all the same.
constexpr double neverExecuted = 1e-9;

/// Executions of an access by all warps of a launch, to compare shapes: of the
/// usual number of warps where the grid is unknown, `neverExecuted` or more. 1
/// for a kernel of one shape: there is nothing to compare.
double executionsIn(const CostedKernel &costed, const ShapeCosts &shape,
                    const Access &access);

/// The shape, or if what its costliest launch passes shuts all threads out from
/// an access, the shape in the one that executes it most often, alone.
const ShapeCosts &executingLaunch(const CostedKernel &costed,
                                  const ShapeCosts &shape,
                                  const Access &access);

/// The shape in which code is executed most often, or the first one of those in
/// which it is alike; in such a launch alone, as above.
const ShapeCosts &busiestShape(const CostedKernel &costed,
                               const Access &access);
const ShapeCosts &busiestShape(const CostedKernel &costed,
                               const Computation &operation);
/// Of the iterations of a loop.
const ShapeCosts &busiestShape(const CostedKernel &costed, LoopId loop);
/// The different ones of some accesses; the first shape where there are none.
std::vector<const ShapeCosts *>
busiestShapes(const CostedKernel &costed, llvm::ArrayRef<unsigned> accesses);

/// The launch, alone, that loses most by an access: a `loss` by each execution.
/// Null if none has a loss. For what the costs of all launches together leave
/// open: the first few of each shape are evaluated.
const ShapeCosts *
worstLaunch(const CostedKernel &costed, const Access &access,
            llvm::function_ref<double(const ShapeCosts &)> loss);

} // namespace warplint
