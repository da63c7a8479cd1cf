#include "cost/arrival.h"
#include "cost/divergence.h"
#include "cost/warp.h"
#include "findings/check.h"
#include "findings/locate.h"
#include "findings/share.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "divergent-branch",
    .summary = "neighbouring lanes of each warp diverge at a condition, so the "
               "warp executes all sides with some lanes idle",
    .why = R"(
The lanes of a warp share one instruction stream. Where they diverge, the warp
executes one side with the other lanes idle, and then the other side: the work of
both, one after the other. If all lanes of each warp take the same side, nothing
is lost: 'threadIdx.x / 32 % 2' costs nothing where 'threadIdx.x % 2' doubles the
time. A condition at the edge, such as 'i < n', makes one warp of many diverge and
is free; so is a short choice, which the compiler turns into selects.)",
    .slow = R"(
__global__ void step(float *v, int n, int iterations) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = v[i];
  if (threadIdx.x % 2 == 0)
    for (int k = 0; k < iterations; ++k)
      x = x * 1.0001f + sqrtf(x);
  else
    for (int k = 0; k < iterations; ++k)
      x = x * 0.9999f + __expf(-x);
  v[i] = x;
}
)",
    .fast = R"(
__global__ void step(float *v, int n, int iterations) {
  int pair = threadIdx.x / 64 * 32 + threadIdx.x % 32;
  int odd = threadIdx.x / 32 % 2;
  int i = blockIdx.x * blockDim.x + 2 * pair + odd;
  float x = v[i];
  if (odd == 0)
    for (int k = 0; k < iterations; ++k)
      x = x * 1.0001f + sqrtf(x);
  else
    for (int k = 0; k < iterations; ++k)
      x = x * 0.9999f + __expf(-x);
  v[i] = x;
}
)",
    .cures = R"(
- Distribute the work by warp: let 'threadIdx.x / 32', not 'threadIdx.x % 2',
  select the side, and compute the element from that. Or sort the elements by
  kind, or launch one kernel for each kind.
- Every other element has no work (red and black cells, odd and even pairs): one
  thread for each element with work, 'i = 2 * t + colour'.
- A reduction that lets every 2s-th thread add: let the first s threads add,
  's' decreasing from half of the block; or shuffles within a warp.
- Sides that differ in a factor or an index: select that by '?:' and do the
  work once.
- Both sides share code, such as a load or a division: move it out.)",
    .whenNot = R"(
The branch is executed rarely, or the kernel waits for memory and not for
instructions: then idle lanes cost no time. A reduction in shared memory waits
for its barriers as well. A condition on loaded data is not reported: only a run
shows how many lanes of a warp take each side.)",
    .level = Level::Likely,
    .since = "next",
    .ncu = "Source Counters: Divergent Branches; Warp State Statistics: Avg. "
           "Active Threads Per Warp (rule ThreadDivergence)",
};

/// Compilers turn less work into selects or predicated instructions.
constexpr double realWork = 16;
/// A body in a loop: two loads, a sum and a store.
constexpr double bodyWork = 6;
/// The work of a side that all other lanes wait for once.
constexpr double longWork = 24;
/// One lane that computes a result of its warp is nothing beside the warp's own
/// work, mostly.
constexpr double muchOfKernel = 0.3;
/// Fewer lanes reach a branch within an edge, such as a halo.
constexpr double fewLanes = 8;

/// Returns true if nearly all warps take two or more sides with work.
bool splitsWork(const Branch &branch, const Divergence &seen) {
  unsigned sides = 0;
  for (auto [side, share] : llvm::zip(branch.sides, seen.share))
    sides += side.work >= realWork && share >= seen.lanes / 8;
  return sides >= 2 && seen.split >= 0.75 && seen.waste >= 0.2;
}

/// Returns true if the first lane of each warp takes another side than the rest.
bool isOfOneLane(const Divergence &seen) {
  return seen.split >= 0.75 && llvm::is_contained(seen.share, 1);
}

/// Returns true if one side has work, for every other lane or fewer.
bool leavesLanesIdle(const Branch &branch, const Divergence &seen,
                     Shape shape) {
  double work = 0, share = 0;
  bool hasAccess = false;
  for (auto [side, lanes] : llvm::zip(branch.sides, seen.share)) {
    if (side.work > work)
      share = lanes;
    work = std::max(work, side.work);
    hasAccess |= side.hasAccess;
  }
  // Less arithmetic than in a long loop becomes predicated instructions.
  if ((!hasAccess && work < 4 * longWork) || seen.waste < 0.2)
    return false;
  // 'single-lane-work' has what one lane moves for its warp.
  if (isOfOneLane(seen))
    return !hasAccess && !seen.changesWithLoop;
  if (seen.changesWithLoop) // in a step of a reduction, a sort
    return work >= bodyWork && seen.alternating >= 0.125;
  // The edge of a block of few columns looks like every fourth lane.
  if (shape.x < warpSize && share < 0.375 * seen.lanes)
    return false;
  return work >= longWork && seen.alternating >= 0.75;
}

bool isCostly(const Branch &branch, const Divergence &seen, Shape shape) {
  return seen.known && seen.lanes >= fewLanes &&
         (splitsWork(branch, seen) || leavesLanesIdle(branch, seen, shape));
}

/// "lanes 0, 2, 4, ...".
std::string lanesOf(uint32_t mask) {
  std::string text = plural(llvm::popcount(mask) == 1, "lane") + " ";
  unsigned shown = 0;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if (mask >> lane & 1) {
      if (shown == 3)
        return text + ", ...";
      text += (shown++ ? ", " : "") + std::to_string(lane);
    }
  return text;
}

/// "16 and 16", "8, 8, 8 and 8".
std::string sharesOf(const Divergence &seen) {
  std::vector<std::string> shares;
  for (const auto &share : seen.share)
    shares.push_back(shortNumber(share));
  return listed(shares);
}

std::string message(const Branch &branch, const Divergence &seen) {
  std::string lanes = shortNumber(seen.lanes);
  if (splitsWork(branch, seen))
    return llvm::formatv("the {0} lanes of a warp diverge here, {1}: the warp "
                         "executes the {2} sides one after the other",
                         lanes, sharesOf(seen), seen.share.size());
  auto most = std::max_element(
      branch.sides.begin(), branch.sides.end(),
      [](const Side &a, const Side &b) { return a.work < b.work; });
  return llvm::formatv("{0}{1} of the {2} lanes of a warp {3} work here, "
                       "between others that wait for them",
                       seen.changesWithLoop ? "on average " : "",
                       shortNumber(seen.share[most - branch.sides.begin()]),
                       lanes, isOfOneLane(seen) ? "has" : "have");
}

/// The divergence in the shape with the most waste.
struct Seen {
  const KernelShape *shape = nullptr;
  Divergence divergence;
};

/// Returns true if the branch is short, executed once, and stands beside a loop
/// that lanes of both sides execute: a final 'if (lane % 4 == 0)' with the
/// stores of a sum that took the time.
bool isDwarfed(const Kernel &kernel, Shape shape, const Branch &branch) {
  constexpr uint64_t longLoop = 32;
  if (!branch.loops.empty() || llvm::any_of(branch.sides, [](const Side &side) {
        return side.work > 4 * longWork;
      }))
    return false;
  Evaluation evaluation(kernel);
  Warp warp(evaluation, shape, 0, 0, 0);
  const Iterations first;
  const uint32_t reached = warp.may(branch.guard, first);
  return llvm::any_of(kernel.loops, [&](const Loop &loop) {
    if (loop.inLibrary || loop.parent ||
        (loop.tripCount && *loop.tripCount < longLoop))
      return false;
    const uint32_t inLoop = warp.may(loop.enters, first) & reached;
    return inLoop && llvm::all_of(branch.sides, [&](const Side &side) {
             return (inLoop & ~warp.may(side.taken, first)) != 0;
           });
  });
}

/// Returns false if the branch is of no concern, whichever way lanes go: to
/// evaluate that for all warps takes much longer than to ask.
bool isConcern(const Kernel &kernel, const Branch &branch) {
  return !branch.inLibrary && llvm::any_of(branch.sides, [](const Side &side) {
    return side.work >= std::min(bodyWork, realWork);
  }) && llvm::any_of(branch.sides, [&](const Side &side) {
    return dependsOnThread(kernel, side.taken);
  });
}

Seen seenIn(const CostedKernel &costed, const Branch &branch) {
  Seen worst;
  if (!isConcern(costed.kernel, branch))
    return worst;
  for (const ShapeCosts &shape : costed.shapes) {
    Divergence here = divergence(costed.kernel, shape.shape.shape, branch);
    if (isCostly(branch, here, shape.shape.shape) &&
        !isDwarfed(costed.kernel, shape.shape.shape, branch) &&
        (!worst.shape || here.waste > worst.divergence.waste))
      worst = {&shape.shape, std::move(here)};
  }
  return worst;
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  std::set<unsigned> reported;
  for (unsigned i = 0; i < kernel.branches.size(); ++i) {
    const Branch &branch = kernel.branches[i];
    // A reported branch covers the branches on its sides, such as the rest of
    // an else-if chain.
    if (branch.parent && reported.count(*branch.parent)) {
      reported.insert(i);
      continue;
    }
    Seen seen = seenIn(costed, branch);
    if (!seen.shape)
      continue;
    const ShapeCosts &shape =
        *llvm::find_if(costed.shapes, [&](const ShapeCosts &of) {
          return &of.shape == seen.shape;
        });
    const Demand saved =
        timeOf(costed, shape).ofSides(branch) * seen.divergence.waste;
    if (isOfOneLane(seen.divergence) &&
        timeOf(costed, shape).share(saved) < muchOfKernel)
      continue;
    reported.insert(i);
    Finding &finding = findings.add(branch.place, branch.callSites,
                                    message(branch, seen.divergence), i);
    std::string who;
    for (uint32_t mask : seen.divergence.example)
      if (mask)
        who += who.empty()
                   ? lanesOf(mask) +
                         (llvm::popcount(mask) == 1 ? " takes" : " take") +
                         " one side"
                   : ", " + lanesOf(mask) + " another";
    finding.about = "branch";
    finding.weight = seen.divergence.waste;
    setShare(finding, costed, shape, saved);
    // Threads that all have work are fewer, and so are their blocks.
    if (branch.loops.empty() && seen.divergence.waste < 1 &&
        leavesLanesIdle(branch, seen.divergence, shape.shape.shape))
      raiseShareByStarts(finding, costed, shape,
                         1 / (1 - seen.divergence.waste));
    finding.notes.push_back("in one warp " + who);
    finding.notes.push_back(shapeNote(*seen.shape, finding.place));
  }
}

/// Returns true if lanes diverge at a branch in the PTX that has work. A loop
/// around it may be unrolled, so the work of one iteration suffices.
bool isLeft(const CostedKernel &ptx, const Branch &branch) {
  bool works = llvm::any_of(
      branch.sides, [](const Side &side) { return side.work >= bodyWork; });
  return works && llvm::any_of(ptx.shapes, [&](const ShapeCosts &shape) {
           Divergence here = divergence(ptx.kernel, shape.shape.shape, branch);
           return here.known && here.split >= 0.125;
         });
}

/// Returns true if lanes diverge at a branch in the PTX that stands at the line
/// of no branch of the source: the compiler moved it, or merged several.
bool hasMovedBranch(const CompiledView &view) {
  return llvm::any_of(view.ptx->kernel.branches, [&](const Branch &branch) {
    return isLeft(*view.ptx, branch) &&
           llvm::none_of(view.source.kernel.branches, [&](const Branch &other) {
             return comesFrom(branch, other.place);
           });
  });
}

Judgement judge(const Finding &finding, unsigned, const CompiledView &view) {
  if (!view.ptx)
    return {Verdict::Unjudged, "the compiler left no PTX to look at"};
  const Kernel &ptx = view.ptx->kernel;
  bool unknown = false, isThere = false;
  for (const Branch &branch : ptx.branches) {
    if (!comesFrom(branch, finding.place))
      continue;
    isThere = true;
    if (isLeft(*view.ptx, branch))
      return {Verdict::Confirmed,
              llvm::formatv("the PTX branches at line {0}, and lanes diverge",
                            finding.place.line)};
    unknown |=
        !divergence(ptx, view.ptx->shapes.front().shape.shape, branch).known;
  }
  if (unknown)
    return {Verdict::Unjudged, "the condition in the PTX cannot be followed"};
  if (!isThere && hasMovedBranch(view))
    return {Verdict::Unjudged,
            "the compiler moved the branch to another line, or merged it"};
  return {Verdict::Refuted, "the PTX has no such branch: the compiler made "
                            "selects or predicated instructions of it"};
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint
