#include "cost/tree_reduction.h"
#include "findings/check.h"
#include "findings/locate.h"
#include "findings/share.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "shared-tree-reduction",
    .summary = "a reduction in shared memory waits at a barrier in each step, "
               "down to one thread",
    .why = R"(
Each step of a tree in shared memory is two loads, a store and a barrier for the
whole block, and half of the threads that worked in the step before have nothing to
do. The last five steps are within one warp, where lanes give each other their
values by shuffles, in registers and without a barrier. A block of 256 threads
waits at eight barriers; reduced by shuffles in each warp first, at one or two.

If the threads that add are every second one, every fourth one, and so on ('t % (2 *
s) == 0'), all warps take part in all steps with ever fewer lanes, and the loads
meet in ever fewer banks.)",
    .slow = R"(
__global__ void sums(const float *in, float *out, int rows) {
  __shared__ float part[256];
  int t = threadIdx.x;
  for (int row = 0; row < rows; ++row) {
    part[t] = in[row * 256 + t];
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
      if (t < s)
        part[t] += part[t + s];
      __syncthreads();
    }
    if (t == 0)
      out[row] = part[0];
  }
}

void run(const float *in, float *out, int rows) {
  sums<<<1, 256>>>(in, out, rows);
}
)",
    .fast = R"(
__global__ void sums(const float *in, float *out, int rows) {
  __shared__ float part[8];
  int t = threadIdx.x;
  for (int row = 0; row < rows; ++row) {
    float sum = in[row * 256 + t];
    for (int d = 16; d > 0; d /= 2)
      sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (t % 32 == 0)
      part[t / 32] = sum;
    __syncthreads();
    if (t < 8) {
      sum = part[t];
      for (int d = 4; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffu, sum, d);
      if (t == 0)
        out[row] = sum;
    }
    __syncthreads();
  }
}

void run(const float *in, float *out, int rows) {
  sums<<<1, 256>>>(in, out, rows);
}
)",
    .cures = R"(
- Shuffles in each warp (__shfl_down_sync), one value of each warp to shared memory,
  one barrier, shuffles in the first warp; or cub::BlockReduce, or
  cooperative_groups::reduce.
- Integers: __reduce_add_sync and its like reduce a warp in one instruction, since
  compute capability 8.0.
- A value and its index: shuffle both.
- 't % (2 * s) == 0': at least let the first threads work, 't < s', with s
  decreasing.
- Before the tree: let each thread add several elements, so that fewer blocks
  reduce. In a loop: add in registers, and reduce once behind it.)",
    .whenNot = R"(
The block reduces once, after much other work. Such a reduction is an opinion; one
that a loop repeats is reported by default, and so is one of every second thread. A
tree that ends with 32 threads, before shuffles, is not reported, nor is a scan.)",
    .level = Level::Likely,
    .since = "next",
    .ncu = "Warp State Statistics: Stall Barrier; Source Counters: the barrier "
           "in the loop",
};

/// Two barriers remain: the one between the warps, and the one before the array
/// is used again.
constexpr double stepsLeft = 2;

std::string message(const TreeReduction &tree) {
  return llvm::formatv(
      "a tree in shared memory ('{0}') waits at a barrier in each of its {1} "
      "steps{2}",
      tree.object, tree.steps,
      tree.isInterleaved
          ? ", and every second lane, every fourth lane, ... works: all warps "
            "take part in all steps"
          : ", down to one thread");
}

/// Other findings in such a loop have the same cause and the same remedy.
void addCovered(const Kernel &kernel, const TreeReduction &tree,
                Finding &finding) {
  for (unsigned access : tree.accesses)
    finding.covers.push_back(
        {"shared-bank-conflict", kernel.accesses[access].place});
  for (const Branch &branch : kernel.branches)
    if (tree.loop && llvm::is_contained(branch.loops, *tree.loop))
      finding.covers.push_back({"divergent-branch", branch.place});
  for (const Computation &operation : kernel.operations)
    if (tree.loop && llvm::is_contained(kernel.loopsOf(operation), *tree.loop))
      finding.covers.push_back(
          {"costly-division", kernel.writtenOf(operation).place});
}

/// The name of a reduction for the judge: its loop, or, behind all loops, the
/// first access of one whose steps are written one by one.
unsigned subjectOf(const Kernel &kernel, const TreeReduction &tree) {
  return tree.loop ? *tree.loop
                   : unsigned(kernel.loops.size()) + tree.accesses.front();
}

/// The use of all steps.
Demand demandOf(const Kernel &kernel, const KernelTime &time,
                const TreeReduction &tree) {
  Demand all;
  for (unsigned barrier : tree.barriers)
    all += time.ofBarrier(kernel.barriers[barrier]);
  if (tree.loop)
    return all += time.ofLoop(*tree.loop);
  for (unsigned access : tree.accesses)
    all += time.of(access);
  return all;
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  std::set<unsigned> said;
  for (const ShapeCosts &shape : costed.shapes)
    for (const TreeReduction &tree : treeReductions(kernel, shape.shape)) {
      const unsigned subject = subjectOf(kernel, tree);
      if (!said.insert(subject).second)
        continue;
      const Access &first = kernel.accesses[tree.accesses.front()];
      Finding &finding = tree.loop
                             ? findings.add(kernel.loops[*tree.loop].place,
                                            kernel.loops[*tree.loop].callSites,
                                            message(tree), subject)
                             : findings.add(first.place, first.callSites,
                                            message(tree), subject);
      finding.about = finding.object = tree.object;
      finding.level = tree.isInterleaved || tree.isRepeated ? Level::Likely
                                                            : Level::Opinion;
      finding.weight = tree.steps * (tree.isInterleaved ? 2 : 1);
      setShare(finding, costed, shape,
               demandOf(kernel, timeOf(costed, shape), tree) *
                   std::max(0.0, 1 - stepsLeft / tree.steps));
      finding.notes.push_back(shapeNote(shape.shape, finding.place));
      finding.fix =
          llvm::formatv("reduce within each warp by __shfl_down_sync, store "
                        "one value of each "
                        "warp to '{0}', and let the first warp reduce these",
                        tree.object);
      addCovered(kernel, tree, finding);
    }
}

/// Steps that are written one by one: each has a barrier of its own.
Judgement judgeSteps(const Access &first, const CompiledView &view) {
  const Kernel &source = view.source.kernel;
  const auto left =
      llvm::count_if(view.ptx->kernel.barriers, [&](const Barrier &barrier) {
        return llvm::any_of(source.barriers, [&](const Barrier &other) {
          return other.loops == first.loops && comesFrom(barrier, other.place);
        });
      });
  return {left >= 2 ? Verdict::Confirmed : Verdict::Refuted,
          llvm::formatv("the PTX has {0} between the steps",
                        counted(left, "barrier"))};
}

Judgement judge(const Finding &, unsigned subject, const CompiledView &view) {
  if (!view.ptx)
    return {Verdict::Unjudged, "the compiler left no PTX to look at"};
  const Kernel &source = view.source.kernel;
  if (subject >= source.loops.size())
    return judgeSteps(source.accesses[subject - source.loops.size()], view);
  const LoopId loop = subject;
  unsigned left = 0;
  bool isInLoop = false;
  for (const Barrier &barrier : view.ptx->kernel.barriers)
    if (llvm::any_of(source.barriers, [&](const Barrier &other) {
          return llvm::is_contained(other.loops, loop) &&
                 comesFrom(barrier, other.place);
        })) {
      ++left;
      isInLoop |= !barrier.loops.empty();
    }
  if (isInLoop)
    return {Verdict::Confirmed, "the PTX has the barrier in a loop"};
  if (left >= 2)
    return {Verdict::Confirmed,
            llvm::formatv(
                "the loop is unrolled: the PTX has {0} barriers of it", left)};
  return {Verdict::Refuted, left ? "the PTX has one barrier of the loop"
                                 : "the PTX has no barrier of the loop"};
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint
