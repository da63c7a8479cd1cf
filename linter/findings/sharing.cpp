#include "findings/sharing.h"
#include "cost/arrival.h"
#include "cost/iteration_needs.h"
#include "cost/kernel_time.h"
#include "cost/launch_size.h"
#include "cost/terms.h"
#include "findings/wording.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstdlib>

namespace warplint {

std::string sharingAdvice(const CostedKernel &costed, const ShapeCosts &shape,
                          LoopId loop, llvm::StringRef who) {
  const Needs needs = needsOf(costed, shape, loop);
  if (needs == Needs::Earlier)
    return "each iteration needs the one before: a running sum is a scan, such "
           "as cub::BlockScan; else let each thread, or each warp, have such a "
           "loop of its own";
  return llvm::formatv("{0}let all {1} share the iterations{2}",
                       needs == Needs::Perhaps
                           ? "if none of them needs what another stores, "
                           : "",
                       who,
                       haveOneResult(costed, shape, loop)
                           ? ", and join their results by shuffles"
                           : "");
}

/// Returns true if the loop's counter begins at the thread's index and steps
/// over those of others.
static bool isDivided(const Kernel &kernel, LoopId loop) {
  using Walk = ExpressionGraph::Walk;
  const ExpressionGraph &graph = kernel.graph;
  return !graph.walk(kernel.loops[loop].continues, [&](ValueId id) {
    const Node &node = graph.node(id);
    if (node.op != Op::Carried || node.number != loop)
      return Walk::Into;
    const std::optional<int64_t> step = constantStep(graph, id);
    return node.bits >= 32 && (!step || std::abs(*step) > 1) &&
                   dependsOnThread(kernel, graph.operand(id, 0))
               ? Walk::Stop
               : Walk::Past;
  });
}

/// The outermost loop of the user's that takes the most time; nothing if there
/// is none.
static std::optional<LoopId> dearestLoop(const CostedKernel &costed,
                                         const ShapeCosts &shape) {
  const KernelTime &time = timeOf(costed, shape);
  std::optional<LoopId> dearest;
  double most = 0;
  for (LoopId id = 0; id < costed.kernel.loops.size(); ++id) {
    const Loop &loop = costed.kernel.loops[id];
    const double cycles = time.cycles(time.ofLoop(id));
    if (loop.inLibrary || loop.parent || (dearest && cycles <= most))
      continue;
    dearest = id;
    most = cycles;
  }
  return dearest;
}

std::string largerGridAdvice(const CostedKernel &costed,
                             const ShapeCosts &shape, bool isOneThread,
                             const Place &seenFrom) {
  const std::optional<LoopId> loop = dearestLoop(costed, shape);
  if (isOneThread || sharesLoop(costed.kernel) ||
      (loop && isDivided(costed.kernel, *loop)))
    return "let the grid cover the elements: a thread for each of them, or a "
           "loop that steps by the whole grid";
  if (!loop || needsOf(costed, shape, *loop) == Needs::Earlier)
    return "give a launch more elements, or run it beside others, each in a "
           "stream of its own";
  return llvm::formatv("let several threads share the iterations of the loop "
                       "at {0}, which each thread executes alone; or give a "
                       "launch more elements",
                       lineOf(costed.kernel.loops[*loop].place, seenFrom));
}

} // namespace warplint
