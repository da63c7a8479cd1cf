#include "cost/busiest_shape.h"
#include "cost/index_steps.h"
#include "cost/loaded_data.h"
#include "cost/loop_bound.h"
#include "findings/check.h"
#include "findings/left_loop.h"
#include "findings/share.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "ignored-unroll",
    .summary = "a loop with '#pragma unroll' stays a loop, since the number of "
               "its iterations is unknown when it is compiled",
    .why = R"(
'#pragma unroll' asks for as many copies of the body as the loop has iterations. If
only the run knows how many these are, nvcc makes four copies and a loop for the
rest, or none at all where data end the loop, and says nothing. That is less than
without the pragma: ptxas unrolls such loops by itself, often by 16 more, but keeps
its hands off a loop that the pragma has been applied to. Arrays that the loop
indexes by its counter stay in local memory, since their indexes stay unknown.)",
    .slow = R"(
__global__ void smooth(const float *in, float *out, const float *weight,
                       int radius) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < radius; ++k)
    sum += weight[k] * in[i + k];
  out[i] = sum;
}

void run(const float *in, float *out, const float *weight, int radius) {
  smooth<<<4096, 256>>>(in, out, weight, radius);
}
)",
    .fast = R"(
template <int radius>
__global__ void smooth(const float *in, float *out, const float *weight) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < radius; ++k)
    sum += weight[k] * in[i + k];
  out[i] = sum;
}

void run(const float *in, float *out, const float *weight) {
  smooth<5><<<4096, 256>>>(in, out, weight);
}
)",
    .cures = R"(
- A bound with few values: a template parameter of the kernel, with a 'switch' at
  the launch, or 'constexpr'.
- A bound with a small maximum: a loop to the maximum with 'if (k < n)' in it, or
  'k < min(n, 8)', which is unrolled as a whole.
- A bound that is a constant, and a beginning that is the thread's: 'for (int k = 0; k
  < 512; k += 256)' with 'if (k + threadIdx.x < 512)' in it.
- A bound that is large: no pragma, or '#pragma unroll 8', which is followed.
- A 'while' that data end: a 'for' over a fixed number of elements with a 'break'.)",
    .whenNot = R"(
Four copies are what was meant, and the loop is long. Loops whose iterations are
limited by constants are not reported, nor those that the compiler unrolled all the
same: it then refutes the finding.)",
    .level = Level::Likely,
    .since = "next",
    .ncu = "Source Counters: the loop's branch; Warp State Statistics: stalls "
           "for memory that more loads in flight would hide",
};

/// Returns true if a pragma asks for more copies than the compiler can make:
/// as many as there are iterations, of which it does not know the number, or
/// several of a loop that data end.
bool isUnfollowed(const Kernel &kernel, LoopId id) {
  const Loop &loop = kernel.loops[id];
  const bool wantsAll = loop.unroll == Unroll::Full;
  const bool wantsSome = loop.unroll == Unroll::Count && loop.unrollCount > 1;
  if (loop.inLibrary || (!wantsAll && !wantsSome) ||
      isLimitedByConstants(kernel, id))
    return false;
  return wantsAll || dependsOnDataOfIteration(kernel, loop.continues, id);
}

/// Returns true if the bound is a constant, and each thread begins elsewhere.
bool beginsWithThread(const Kernel &kernel, LoopId id) {
  const Loop &loop = kernel.loops[id];
  return loop.hasBound && kernel.graph.node(loop.bound).op == Op::Constant &&
         dividesAmongThreads(kernel, id);
}

std::string message(const Kernel &kernel, LoopId id) {
  const Loop &loop = kernel.loops[id];
  if (dependsOnDataOfIteration(kernel, loop.continues, id))
    return "'#pragma unroll' on a loop that data end: it is not unrolled";
  if (beginsWithThread(kernel, id))
    return "'#pragma unroll' on a loop that begins at an index of the thread, "
           "so that the compiler does not know the number of its iterations: "
           "it stays a loop, and ptxas unrolls it no further";
  // "x > 1": the number says nothing about the iterations.
  const bool isNamed = loop.hasBound &&
                       llvm::any_of(loop.boundText, llvm::isAlpha) &&
                       !llvm::isDigit(loop.boundText.front());
  return llvm::formatv("'#pragma unroll' on a loop whose number of iterations "
                       "{0}: it stays a loop, and ptxas unrolls it no further",
                       !isNamed
                           ? std::string("only the run knows")
                           : "('" + loop.boundText + "') only the run knows");
}

/// Copies save the counter, the comparison and the branch of a short body, and
/// let loads wait together: 1.2x to 2.8x on an H200. A quarter of what the loop
/// takes stands for that, but for what L2 and DRAM move, and for requests of
/// which copies make no wider ones: products of rows that DRAM binds, and of
/// matrix fragments in shared memory, take the same time with the pragma and
/// without it (H200).
constexpr double savedByCopies = 0.25;
/// Instructions of an iteration that copies do without. Of a body of 130, which
/// loads 64 bytes, they saved 2 % and not 23 % (H200).
constexpr double bookkeeping = 4;

/// Returns true for `a[k]` in a loop over k: of its copies, the compiler can
/// make one request of several elements.
bool takesNeighbours(const CostedKernel &costed, const ShapeCosts &shape,
                     unsigned access, LoopId id) {
  const int64_t bytes = costed.kernel.accesses[access].bytes;
  return llvm::any_of(indexSteps(costed, shape, access).loops,
                      [&](const IndexSteps::OfLoop &step) {
                        return step.loop == id && step.bytes &&
                               std::abs(*step.bytes) == bytes;
                      });
}

/// What copies may save of a loop beside the loops in it that stay loops as
/// well: copies of those have counters of their own.
Demand savedOfOwnBody(const CostedKernel &costed, const ShapeCosts &shape,
                      LoopId id) {
  const Kernel &kernel = costed.kernel;
  const KernelTime &time = timeOf(costed, shape);
  Demand own = time.ofLoop(id);
  std::vector<LoopId> apart;
  for (LoopId inner = id + 1; inner < kernel.loops.size(); ++inner)
    if (kernel.loops[inner].parent == id &&
        !isLimitedByConstants(kernel, inner)) {
      own -= time.ofLoop(inner);
      apart.push_back(inner);
    }
  auto isApart = [&](LoopId loop) { return llvm::is_contained(apart, loop); };
  own.sectors = own.storing = own.dramSectors = own.unsureSectors = 0;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i)
    if (llvm::is_contained(kernel.accesses[i].loops, id) &&
        llvm::none_of(kernel.accesses[i].loops, isApart) &&
        !takesNeighbours(costed, shape, i, id))
      own.wavefronts -= std::min(own.wavefronts, time.of(i).wavefronts);
  Access each;
  each.loops = kernel.nestOf(id);
  each.guard = kernel.loops[id].enters;
  const double body =
      own.instructions / time.ofInstructions(1, each).instructions;
  return own * std::min(savedByCopies, bookkeeping / std::max(1.0, body));
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  for (LoopId id = 0; id < kernel.loops.size(); ++id) {
    if (!isUnfollowed(kernel, id))
      continue;
    const Loop &loop = kernel.loops[id];
    Finding &finding =
        findings.add(loop.place, loop.callSites, message(kernel, id), id);
    finding.about = "unroll";
    const ShapeCosts &shape = busiestShape(costed, id);
    setShare(finding, costed, shape, savedOfOwnBody(costed, shape, id));
    if (beginsWithThread(kernel, id)) {
      finding.fix = "count the iterations from a constant to a constant, and "
                    "guard the body by the index of the thread";
      continue;
    }
    const std::string cure = boundCure(kernel, id);
    finding.fix = "take the pragma away, or give it a number";
    if (!cure.empty())
      finding.fix += "; if '" + loop.boundText + "' has few values, " + cure;
  }
}

Judgement judge(const Finding &, unsigned subject, const CompiledView &view) {
  if (!view.ptx)
    return {Verdict::Unjudged, "the compiler left no PTX to look at"};
  const LeftLoop left = leftOf(subject, view);
  const Loop &loop = view.source.kernel.loops[subject];
  const bool isCounted = loop.unroll == Unroll::Count;
  const bool isFollowed = isCounted && left.copies > 1.5;
  const bool isOpen = left.state == LoopState::Unknown ||
                      (isCounted && left.state == LoopState::Left &&
                       !left.copies);
  const Verdict verdict = isOpen ? Verdict::Unjudged
                          : left.state == LoopState::Gone || isFollowed
                              ? Verdict::Refuted
                              : Verdict::Confirmed;
  return {verdict, inWords(left)};
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint
