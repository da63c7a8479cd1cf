#include "cost/busiest_shape.h"
#include "cost/loop_bound.h"
#include "cost/unrolling.h"
#include "findings/check.h"
#include "findings/left_loop.h"
#include "findings/share.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "open-trip-count",
    .summary =
        "a short inner loop has a bound that the compiler does not know, "
        "and stays a loop",
    .why = R"(
Of a loop with three, eight or sixteen iterations, a good part is the loop: the
counter, the comparison, the branch, the address of each element. With a bound that
is known when the kernel is compiled, the loop is gone: offsets become constants,
loads of several iterations are on their way at once, arrays indexed by the counter
stay in registers, products with zero and one disappear. With a bound that is an
argument, the compiler prepares for any number, makes four copies and a loop for the
rest, and of three iterations none is in the four copies.)",
    .slow = R"(
__global__ void lengths(const float *points, float *out, int dimensions, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int d = 0; d < dimensions; ++d)
    sum += points[d * n + i] * points[d * n + i];
  out[i] = sqrtf(sum);
}

void run(const float *points, float *out, int n) {
  lengths<<<(n + 255) / 256, 256>>>(points, out, 3, n);
}
)",
    .fast = R"(
template <int dimensions>
__global__ void lengths(const float *points, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int d = 0; d < dimensions; ++d)
    sum += points[d * n + i] * points[d * n + i];
  out[i] = sqrtf(sum);
}

void run(const float *points, float *out, int n) {
  lengths<3><<<(n + 255) / 256, 256>>>(points, out, n);
}
)",
    .cures = R"(
- The bound as a template parameter of the kernel, with a 'switch' over its values
  at the launch.
- A bound that never changes: 'constexpr', or 'const' where a lambda captures it.
- A bound with a small maximum: a loop to the maximum, with 'if (k < n)' in it.)",
    .whenNot = R"(
The bound has many values in use, or the kernel waits for memory all the same. Only
loops are reported whose launches say that they are short, whose counter indexes an
array of at most 64 elements, or that run from as far before an element as behind
it.)",
    .level = Level::Opinion,
    .since = "next",
    .ncu = "Source Counters: instructions of the loop's counter and branch; "
           "Instruction Statistics: integer instructions",
};

/// Loops of so many iterations are long.
constexpr double longLoop = 32;
/// Steps through an array over which no loop is long.
constexpr uint64_t smallArray = 64;
/// Iterations of a window whose size no launch says: for the order of findings.
constexpr double usualWindow = 8;

/// The evidence that a loop is short.
struct Short {
  std::string why;
  double iterations = 0;
};

bool countsThreads(const Kernel &kernel, LoopId id) {
  return !kernel.graph.walk(kernel.loops[id].continues, [&](ValueId value) {
    return kernel.graph.node(value).op == Op::BlockSize
               ? ExpressionGraph::Walk::Stop
               : ExpressionGraph::Walk::Into;
  });
}

/// The most iterations that a launch gives; nothing if one of them is unknown.
std::optional<double> mostByLaunches(const CostedKernel &costed, LoopId id) {
  double most = 0;
  for (const ShapeCosts &shape : costed.shapes) {
    if (shape.shape.launches.empty() ||
        (shape.shape.source == ShapeSource::Assumed &&
         countsThreads(costed.kernel, id)))
      return std::nullopt;
    for (const Launched &launch : shape.shape.launches) {
      KernelShape one = shape.shape;
      one.launches = {launch};
      const Trips trips = Frequencies(costed.kernel, one).trips(id);
      if (trips.isAssumed)
        return std::nullopt;
      most = std::max(most, trips.count);
    }
  }
  return most;
}

std::optional<Short> shortBy(const CostedKernel &costed, LoopId id) {
  const Kernel &kernel = costed.kernel;
  const Loop &loop = kernel.loops[id];
  if (auto iterations = iterationsInArray(kernel, id);
      iterations && *iterations <= smallArray && *iterations > 0)
    return Short{
        llvm::formatv("the array that its counter indexes ends after {0}",
                      counted(*iterations, "iteration")),
        double(*iterations)};
  if (loop.boundCaptured && loop.boundCaptured->mayBeConst)
    return Short{"'" + loop.boundText + "' never changes", 1};
  const std::optional<double> most = mostByLaunches(costed, id);
  if (most && *most >= longLoop)
    return std::nullopt;
  if (most)
    return Short{"its launches give it at most " +
                     counted(uint64_t(*most), "iteration"),
                 *most};
  if (lengthOf(kernel, id).isWindow)
    return Short{"it is a window around an element", usualWindow};
  return std::nullopt;
}

/// The loop with what decides its length as its bound, named as the source
/// does; nothing if data or the thread decide.
std::optional<Loop> boundByArguments(const Kernel &kernel, LoopId id) {
  Loop loop = kernel.loops[id];
  if (isBoundByArguments(kernel, id) && !dividesAmongThreads(kernel, id))
    return loop;
  const std::vector<ValueId> arguments = lengthOf(kernel, id).arguments;
  if (arguments.size() != 1)
    return std::nullopt;
  const Node &node = kernel.graph.node(arguments.front());
  if (node.op != Op::Parameter && node.op != Op::Loaded)
    return std::nullopt;
  loop.bound = arguments.front();
  loop.hasBound = true;
  loop.boundText = kernel.graph.text(arguments.front());
  return loop;
}

/// Returns true if the loops in it, if there are any, have lengths that the
/// data or the counters around them decide.
bool isInnermostOpen(const Kernel &kernel, LoopId id) {
  for (LoopId inner = id + 1; inner < kernel.loops.size(); ++inner)
    if (kernel.loops[inner].parent == id &&
        (kernel.loops[inner].tripCount || boundByArguments(kernel, inner)))
      return false;
  return true;
}

bool loadsInLoop(const Kernel &kernel, LoopId id) {
  return llvm::any_of(kernel.accesses, [&](const Access &access) {
    return access.operation == Operation::Load &&
           llvm::is_contained(access.loops, id);
  });
}

/// What an unrolled loop leaves out. Loads of several iterations would wait
/// together.
Demand savedOf(const Kernel &kernel, const KernelTime &time, LoopId id,
               double iterations) {
  constexpr double most = 0.5;
  Demand all = time.ofLoop(id);
  for (LoopId inner = id + 1; inner < kernel.loops.size(); ++inner)
    if (kernel.loops[inner].parent == id)
      all -= time.ofLoop(inner);
  Demand saved = savedByUnrolling(kernel, time, id, iterations);
  const double part =
      loadsInLoop(kernel, id)
          ? most
          : saved.instructions / std::max(1.0, all.instructions);
  const Demand waits = all.waits() * part;
  saved.latency = std::max(saved.latency, waits.latency);
  saved.together = std::max(saved.together, waits.together);
  return saved;
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  for (LoopId id = 0; id < kernel.loops.size(); ++id) {
    if (kernel.loops[id].inLibrary || kernel.loops[id].hasBarrier ||
        kernel.loops[id].unroll != Unroll::Unsaid ||
        !isInnermostOpen(kernel, id) || isLimitedByConstants(kernel, id))
      continue;
    const std::optional<Loop> bounded = boundByArguments(kernel, id);
    if (!bounded)
      continue;
    const Loop &loop = *bounded;
    const std::optional<Short> isShort = shortBy(costed, id);
    const std::string cure = boundCure(kernel, loop);
    if (!isShort || cure.empty())
      continue;
    Finding &finding = findings.add(
        loop.place, loop.callSites,
        llvm::formatv(
            "the compiler does not know the bound '{0}' of this short "
            "loop, and keeps the loop",
            loop.boundText),
        id);
    finding.about = "bound";
    const ShapeCosts &shape = busiestShape(costed, id);
    const KernelTime &time = timeOf(costed, shape);
    setShare(finding, costed, shape,
             savedOf(kernel, time, id, isShort->iterations));
    finding.weight = 1 / isShort->iterations;
    finding.notes.push_back(isShort->why);
    finding.fix = cure;
    if (loop.boundCaptured && loop.boundCaptured->mayBeConst)
      finding.edit = Fix{.change = Change::DeclareConst,
                         .at = loop.boundCaptured->declared,
                         .name = loop.boundText};
  }
}

Judgement judge(const Finding &, unsigned subject, const CompiledView &view) {
  if (!view.ptx)
    return {Verdict::Unjudged, "the compiler left no PTX to look at"};
  const LeftLoop left = leftOf(subject, view);
  return {left.state == LoopState::Left   ? Verdict::Confirmed
          : left.state == LoopState::Gone ? Verdict::Refuted
                                          : Verdict::Unjudged,
          inWords(left)};
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint
