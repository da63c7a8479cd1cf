#include "cost/launch_size.h"
#include "cost/kernel_time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

namespace warplint {

ShapeCosts ofLaunch(const ShapeCosts &costs, const Launched &launch) {
  ShapeCosts one{costs.shape, costs.costs};
  one.shape.place = launch.place;
  one.shape.launches = {launch};
  if (launch.blocks())
    one.shape.grids = {*launch.blocks()};
  return one;
}

bool growsWithSizes(const CostedKernel &costed, const ShapeCosts &costs) {
  const KernelTime &time = timeOf(costed, costs);
  for (LoopId id = 0; id < costed.kernel.loops.size(); ++id)
    if (!costed.kernel.loops[id].inLibrary &&
        time.frequencies().trips(id).isAssumed)
      return true;
  return false;
}

bool stepsByGrid(const Kernel &kernel, LoopId loop) {
  using Walk = ExpressionGraph::Walk;
  return !kernel.graph.walk(kernel.loops[loop].continues, [&](ValueId id) {
    return kernel.graph.node(id).op == Op::GridSize ? Walk::Stop : Walk::Into;
  });
}

bool sharesLoop(const Kernel &kernel) {
  return llvm::any_of(llvm::seq<LoopId>(0, kernel.loops.size()),
                      [&](LoopId id) { return stepsByGrid(kernel, id); });
}

} // namespace warplint
