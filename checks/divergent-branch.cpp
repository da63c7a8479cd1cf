#include "cost/divergence.h"
#include "findings/check.h"
#include "findings/locate.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "divergent-branch",
    .summary = "a condition sends neighbouring lanes of each warp different "
               "ways, so the warp goes all of them with some lanes idle",
    .why = R"(
The lanes of a warp share one instruction stream. Where a condition parts them,
the warp runs one side with the other lanes idle, and then the other side: the
work of both, one after the other. When whole warps go one way each, nothing is
lost: 'threadIdx.x / 32 % 2' costs nothing where 'threadIdx.x % 2' doubles the
time. A condition at the edge, such as 'i < n', parts one warp of many and is
free; so is a short choice, which the compiler turns into selects.)",
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
- Deal the work out by warp: let 'threadIdx.x / 32', not 'threadIdx.x % 2',
  choose, and compute the element from that. Or sort the elements by kind, or
  launch one kernel for each kind.
- Every other element has nothing to do (red and black cells, odd and even
  pairs): a thread for each element that has, 'i = 2 * t + colour'.
- A reduction that lets every 2s-th thread add: let the first s threads add,
  's' going down from half of the block; or shuffles within a warp.
- Sides that differ in a factor or an index: choose that by '?:' and do the
  work once.
- Part of both sides is the same, such as a load or a division: move it out.)",
    .whenNot = R"(
The branch is executed rarely, or the kernel waits for memory and not for
instructions: then idle lanes are idle time anyway. A reduction in shared memory
waits for its barriers as well.)",
    .level = Level::Likely,
    .since = "next",
    .ncu = "Source Counters: Divergent Branches; Warp State Statistics: Avg. "
           "Active Threads Per Warp (rule ThreadDivergence)",
};

// Less than this compilers turn into selects or predicated instructions.
constexpr double realWork = 16;
/// A body in a loop: two loads, a sum and a store.
constexpr double bodyWork = 6;
/// A side on which all others wait, once.
constexpr double longWork = 24;
/// Fewer lanes than these come to a branch within an edge, such as a halo.
constexpr double fewLanes = 8;

/// Two ways or more, with work on them, in nearly all warps.
bool partsWork(const Branch &branch, const Divergence &seen) {
  unsigned sides = 0;
  for (auto [side, share] : llvm::zip(branch.sides, seen.share))
    sides += side.work >= realWork && share >= seen.lanes / 8;
  return sides >= 2 && seen.split >= 0.75 && seen.waste >= 0.2;
}

/// One way with work on it, for every other lane or fewer.
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
  if (!hasAccess || seen.waste < 0.2)
    return false;
  if (seen.changesWithLoop) // in a step of a reduction, a sort
    return work >= bodyWork && seen.alternating >= 0.125;
  // The edge of a block of few columns looks like every fourth lane.
  if (shape.x < warpSize && share < 0.375 * seen.lanes)
    return false;
  return work >= longWork && seen.alternating >= 0.75;
}

bool isCostly(const Branch &branch, const Divergence &seen, Shape shape) {
  return seen.known && !branch.inLibrary && seen.lanes >= fewLanes &&
         (partsWork(branch, seen) || leavesLanesIdle(branch, seen, shape));
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
  std::string text;
  for (size_t i = 0; i < seen.share.size(); ++i)
    text += (i == 0                       ? ""
             : i + 1 == seen.share.size() ? " and "
                                          : ", ") +
            shownNumber(seen.share[i]);
  return text;
}

std::string message(const Branch &branch, const Divergence &seen) {
  std::string lanes = shownNumber(seen.lanes);
  if (partsWork(branch, seen))
    return llvm::formatv("the {0} lanes of a warp part here, {1}: the warp "
                         "goes each of the {2} ways, one after the other",
                         lanes, sharesOf(seen), seen.share.size());
  auto most = std::max_element(
      branch.sides.begin(), branch.sides.end(),
      [](const Side &a, const Side &b) { return a.work < b.work; });
  return llvm::formatv("{0}{1} of the {2} lanes of a warp have something to do "
                       "here, between others that wait for them",
                       seen.changesWithLoop ? "on average " : "",
                       shownNumber(seen.share[most - branch.sides.begin()]),
                       lanes);
}

/// In the shape in which most is lost.
struct Seen {
  const KernelShape *shape = nullptr;
  Divergence divergence;
};

Seen seenIn(const CostedKernel &costed, const Branch &branch) {
  Seen worst;
  for (const ShapeCosts &shape : costed.shapes) {
    Divergence here = divergence(costed.kernel, shape.shape.shape, branch);
    if (isCostly(branch, here, shape.shape.shape) &&
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
    // Further choices on a side of one that is reported, such as the rest of
    // an else-if chain, go with it.
    if (branch.parent && reported.count(*branch.parent)) {
      reported.insert(i);
      continue;
    }
    Seen seen = seenIn(costed, branch);
    if (!seen.shape)
      continue;
    reported.insert(i);
    Finding &finding = findings.add(branch.place, branch.callSites,
                                    message(branch, seen.divergence), i);
    std::string who;
    for (uint32_t mask : seen.divergence.example)
      if (mask)
        who += who.empty() ? lanesOf(mask) +
                                 (llvm::popcount(mask) == 1 ? " goes" : " go") +
                                 " one way"
                           : ", " + lanesOf(mask) + " another";
    finding.about = "branch";
    finding.weight = seen.divergence.waste;
    finding.notes.push_back("in one warp " + who);
    finding.notes.push_back(shapeNote(*seen.shape, finding.place));
  }
}

bool standsAt(const Branch &branch, const Place &place) {
  return sameLine(branch.place, place) ||
         llvm::any_of(branch.callSites,
                      [&](const Place &site) { return sameLine(site, place); });
}

/// Of a branch in the PTX: that lanes part, with something to do. A loop around
/// it may be unrolled, so each of its iterations has to be enough.
bool isLeft(const CostedKernel &ptx, const Branch &branch) {
  bool works = llvm::any_of(
      branch.sides, [](const Side &side) { return side.work >= bodyWork; });
  return works && llvm::any_of(ptx.shapes, [&](const ShapeCosts &shape) {
           Divergence here = divergence(ptx.kernel, shape.shape.shape, branch);
           return here.known && here.split >= 0.125;
         });
}

Judgement judge(const Finding &finding, unsigned, const CompiledView &view) {
  if (!view.ptx)
    return {Verdict::Unjudged, "the compiler left no PTX to look at"};
  const Kernel &ptx = view.ptx->kernel;
  bool unknown = false;
  for (const Branch &branch : ptx.branches) {
    if (!standsAt(branch, finding.place))
      continue;
    if (isLeft(*view.ptx, branch))
      return {Verdict::Confirmed,
              llvm::formatv("the PTX branches at line {0}, and lanes part",
                            finding.place.line)};
    unknown |=
        !divergence(ptx, view.ptx->shapes.front().shape.shape, branch).known;
  }
  if (unknown)
    return {Verdict::Unjudged, "the condition in the PTX cannot be followed"};
  return {Verdict::Refuted, "the compiler left no such branch: it made selects "
                            "or predicated instructions of it"};
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint
