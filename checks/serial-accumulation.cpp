#include "cost/busiest_shape.h"
#include "cost/load_ahead.h"
#include "cost/loaded_data.h"
#include "cost/loop_bound.h"
#include "cost/terms.h"
#include "findings/check.h"
#include "findings/left_loop.h"
#include "findings/share.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "serial-accumulation",
    .summary =
        "each iteration of a loop loads one value and adds it to one sum, "
        "so a thread has one load on its way at a time",
    .why = R"(
A load from global memory takes 500 cycles and more. A thread can have many of them
on their way at once, if their addresses do not depend on each other and nothing
waits for the first result before the next load. Unrolling does that: four or
sixteen loads, then as many additions. Where the compiler does not unroll, because
the counter is unsigned or 64 bits wide beside an 'int' step, or a pointer walks,
each iteration waits for its own load. And a single sum is a
chain: each addition waits for the one before.)",
    .slow = R"(
__global__ void sums(const float *in, float *out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    sum += in[i];
  atomicAdd(out, sum);
}

void run(const float *in, float *out, int n) {
  sums<<<264, 256>>>(in, out, n);
}
)",
    .fast = R"(
__global__ void sums(const float *in, float *out, int n) {
  float a = 0, b = 0, c = 0, d = 0;
  int step = blockDim.x * gridDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i + 3 * step < n; i += 4 * step) {
    a += in[i];
    b += in[i + step];
    c += in[i + 2 * step];
    d += in[i + 3 * step];
  }
  for (; i < n; i += step)
    a += in[i];
  atomicAdd(out, a + b + c + d);
}

void run(const float *in, float *out, int n) {
  sums<<<264, 256>>>(in, out, n);
}
)",
    .cures = R"(
- Two or four sums, each with its own load in one iteration, added up behind the
  loop; a loop for the rest.
- '#pragma unroll 4', where the step is a constant: the loads of four iterations are
  on their way at once, though the sum stays one. Where the step is 'blockDim.x', a
  test stands between the copies, which no load passes: 1.01x where four loads by
  hand gave 1.36x and 2.59x (H100).
- A counter of type 'int', or bound and step in the counter's own type: the compiler
  then unrolls by itself.
- Vector loads, 'float4', of neighbouring elements.)",
    .whenNot = R"(
Enough other warps hide the wait, or the kernel is bound by bandwidth: then the sum
changes nothing, and the share says so. Loops that data end, such as searches, are
not reported: more loads at once would read what nobody needs. A loop that the compiler unrolls refutes the
finding; ptxas may unroll one that the PTX still shows whole. '#pragma unroll 1'
does not: such a loop is reported, and keeps registers free.)",
    .level = Level::Opinion,
    .since = "next",
    .ncu = "Warp State Statistics: Stall Long Scoreboard; Source Counters: the "
           "load in the loop",
};

/// Shorter loops end before more loads would pay.
constexpr double longLoop = 32;
/// The bytes of the widest access, such as a float4: four loads in one, which
/// are enough if the grid fills the GPU (H100: 2.1 times from 8 warps on an SM,
/// 1.04 from 128).
constexpr unsigned widestAccess = 16;

/// The loads of one iteration from global memory; empty if something keeps the
/// iterations apart.
std::vector<unsigned> loadsOf(const Kernel &kernel, const ShapeCosts &shape,
                              LoopId id) {
  std::vector<unsigned> loads;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Access &access = kernel.accesses[i];
    if (!llvm::is_contained(access.loops, id))
      continue;
    if (access.operation != Operation::Load || access.isVolatile ||
        access.isAsync)
      return {};
    if (shape.costs[i].space == Space::Global &&
        access.need == Need::EachTime && access.bytes != 0)
      loads.push_back(i);
  }
  return loads;
}

/// Returns true if the loop begins where another one has ended: the elements
/// that are too few for a whole iteration of that one.
bool isRest(const Kernel &kernel, LoopId id) {
  using Walk = ExpressionGraph::Walk;
  const ExpressionGraph &graph = kernel.graph;
  auto followsLoop = [&](ValueId start) {
    return !graph.walk(start, [&](ValueId value) {
      const Node &node = graph.node(value);
      return node.op == Op::Final &&
                     !llvm::is_contained(kernel.nestOf(id), node.number)
                 ? Walk::Stop
                 : Walk::Into;
    });
  };
  if (followsLoop(kernel.loops[id].enters))
    return true;
  return !graph.walk(kernel.loops[id].continues, [&](ValueId value) {
    const Node &node = graph.node(value);
    if (node.op != Op::Carried || node.number != id)
      return Walk::Into;
    return followsLoop(graph.operand(value, 0)) ? Walk::Stop : Walk::Past;
  });
}

bool isSerial(const Kernel &kernel, LoopId id) {
  const Loop &loop = kernel.loops[id];
  const bool isInnermost = llvm::none_of(
      kernel.loops, [&](const Loop &other) { return other.parent == id; });
  // The author decided on several copies.
  const bool isDecided = loop.unroll == Unroll::Count;
  // A value summed up or loaded so far may end it: the next load would be
  // one too many.
  const bool isSearch = dependsOnDataOfIteration(kernel, loop.continues, id);
  return isInnermost && loop.accumulators && !isSearch && !loop.inLibrary &&
         !loop.hasBarrier && !loop.hasFence && !isDecided &&
         !isLimitedByConstants(kernel, id) && !isRest(kernel, id);
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  for (LoopId id = 0; id < kernel.loops.size(); ++id) {
    if (!isSerial(kernel, id))
      continue;
    const ShapeCosts &shape = busiestShape(costed, id);
    const std::vector<unsigned> loads = loadsOf(kernel, shape, id);
    const Loop &loop = kernel.loops[id];
    // A sum of products takes two loads; with two sums, both would be on their
    // way without it. What waits for another one's data is not on its way with
    // it: 'if (mask[i]) s += v[i]', 's += v[i] * x[column[i]]'.
    const auto atOnce = llvm::count_if(loads, [&](unsigned i) {
      const Access &access = kernel.accesses[i];
      return !dependsOnDataOfIteration(kernel, access.guard, id) &&
             !dependsOnDataOfIteration(kernel, access.address, id);
    });
    if (atOnce == 0 || atOnce > 2 ||
        (atOnce == 2 && loads.size() == 2 && loop.accumulators > 1))
      continue;
    const KernelTime &time = timeOf(costed, shape);
    auto isWide = [&](unsigned i) {
      return kernel.accesses[i].bytes >= widestAccess;
    };
    if (llvm::any_of(loads, isWide) && !time.frequencies().warps())
      continue;
    const Trips trips = time.frequencies().trips(id);
    if (!trips.isAssumed && trips.count < longLoop)
      continue;
    const Access &load = kernel.accesses[loads.front()];
    Finding &finding = findings.add(
        loop.place, loop.callSites,
        llvm::formatv("each iteration waits for its own load ('{0}'), which "
                      "{1} with",
                      shown(load),
                      loop.accumulators == 1
                          ? "one result continues"
                          : counted(loop.accumulators, "result") + " continue"),
        id);
    finding.about = "sum";
    finding.object = load.object;
    finding.weight = 1;
    // The kernel's time has the loads of several iterations under way where
    // nothing in the source keeps them apart; the finding says that they are
    // not.
    const double together = std::min(loadsAhead, time.togetherIn(id));
    const bool isAhead = isLoadedAhead(kernel, shape, id);
    Demand wait;
    for (unsigned i : loads)
      wait += isAhead ? time.of(i).waits() *
                            (time.partOfWaits(i, together, 1) - 1)
                      : time.savedByLoadingAhead(i, id);
    if (isAhead)
      setShareOfAdded(finding, costed, shape, wait);
    else
      setShare(finding, costed, shape, wait);
    // Between copies of a loop whose iterations the compiler cannot count
    // stands a test, which no load passes (H100: 1.01x by the pragma, 1.36x
    // and 2.6x by hand).
    finding.fix = llvm::formatv(
        "load '{0}' of four iterations at once: {1}", shown(load),
        loop.mayWrap
            ? "a counter and a step of type 'int', 'const int step = "
              "blockDim.x', which the compiler unrolls by itself, or four "
              "loads "
              "by hand; '#pragma unroll' leaves a test between its copies here"
        : loop.unroll == Unroll::Disabled
            ? "'#pragma unroll 4' instead of 1, or four results that are "
              "joined behind the loop"
            : "'#pragma unroll 4', or four results that are joined behind the "
              "loop");
  }
}

Judgement judge(const Finding &, unsigned subject, const CompiledView &view) {
  if (!view.ptx)
    return {Verdict::Unjudged, "the compiler left no PTX to look at"};
  const LeftLoop left = leftOf(subject, view);
  if (left.state != LoopState::Left)
    return {left.state == LoopState::Gone ? Verdict::Refuted
                                          : Verdict::Unjudged,
            inWords(left)};
  if (left.copies == 0)
    return {Verdict::Unjudged, "the PTX does not show the loads of the loop"};
  return {left.copies < 1.5 ? Verdict::Confirmed : Verdict::Refuted,
          inWords(left)};
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint
