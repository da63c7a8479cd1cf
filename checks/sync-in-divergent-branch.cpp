#include "cost/arrival.h"
#include "findings/check.h"
#include "findings/locate.h"
#include "findings/wording.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "sync-in-divergent-branch",
    .summary = "only some threads of a block reach a barrier that all of them "
               "have to reach",
    .why = R"(
__syncthreads() waits for all threads of the block that have not returned. The
programming guide allows it in conditional code only if the condition is the same
for the whole block; otherwise the code is likely to hang or to have unintended
effects. Threads that skip a barrier and come to the next one are taken for those
that the first one waits for: from then on, the halves of the block are a barrier
apart, and read what has not been written yet.

Threads that have returned are not waited for, since compute capability 7.0. The
work that they leave out, such as their part of a tile, is missing all the same.)",
    .slow = R"(
__global__ void reverse(float *v) {
  __shared__ float tile[256];
  int t = threadIdx.x;
  if (t < 128) {
    tile[t] = v[255 - t];
    tile[255 - t] = v[t];
    __syncthreads();
  }
  v[t] = tile[t];
}

void run(float *v) { reverse<<<1, 256>>>(v); }
)",
    .fast = R"(
__global__ void reverse(float *v) {
  __shared__ float tile[256];
  int t = threadIdx.x;
  if (t < 128) {
    tile[t] = v[255 - t];
    tile[255 - t] = v[t];
  }
  __syncthreads();
  v[t] = tile[t];
}

void run(float *v) { reverse<<<1, 256>>>(v); }
)",
    .cures = R"(
- A barrier in an 'if': end the condition before it and begin it again behind it;
  the barrier is for all threads, the work for some.
- 'if (i >= n) return;' before a barrier: keep the threads, and guard loads and
  stores by 'i < n'.
- A loop that begins with 'threadIdx.x': let the number of iterations be the same
  for all threads, 'for (base = 0; base < n; base += blockDim.x)', and guard the
  body by 'base + threadIdx.x < n'.
- A loop that ends when each thread is done: let the block vote,
  'while (__syncthreads_or(!done))'.
- Threads of one warp alone: __syncwarp(), or a tile of cooperative groups. Some
  warps of the block: a named barrier with their number, cuda::barrier.)",
    .whenNot = R"(
The condition is the same for all threads of a block after all, and the data or the
launch that make it so are not seen. A finding about a size or about data is no
certain one, nor is one about whole warps whose others wait at a barrier of their
own; one about threads that return is an opinion, and there is none where they have
no part in what the block stores to shared memory. Conditions on
'blockIdx', on arguments, on values from one address for the whole block, and on
votes of the block are not reported; a loaded length is, where each thread begins at
its own index and counts to it.)",
    .level = Level::Certain,
    .since = "next",
    .ncu =
        "nowhere; 'compute-sanitizer --tool synccheck' reports it where a "
        "launch meets it",
};

bool doOthersReturn(const PartialArrival &seen, const Barrier &barrier) {
  return barrier.othersReturn || seen.othersReturn;
}

Level levelOf(const PartialArrival &seen, const Barrier &barrier) {
  // No GPU of today waits for threads that have returned.
  if (doOthersReturn(seen, barrier))
    return Level::Opinion;
  return seen.by == ArrivalBy::Index ? Level::Certain : Level::Likely;
}

std::string message(const PartialArrival &seen) {
  const std::string what = seen.inIteration
                               ? "execute this barrier in the same iteration"
                               : "reach this barrier";
  switch (seen.by) {
  case ArrivalBy::Index:
    return llvm::formatv("{0}only {1} of the {2} threads of a block {3} this "
                         "barrier",
                         seen.inIteration ? "in one of the iterations, " : "",
                         seen.arriving, seen.threads,
                         seen.arriving == 1 ? "reaches" : "reach");
  case ArrivalBy::Sizes:
    return llvm::formatv("'{0}' decides which threads of a block {1}: not all "
                         "of them, unless it is a multiple of what a block "
                         "covers",
                         seen.name, what);
  case ArrivalBy::Length:
    return llvm::formatv("'{0}', which is loaded, decides which threads of a "
                         "block {1}: not all of them, unless the range is a "
                         "multiple of what a block covers",
                         seen.name, what);
  case ArrivalBy::Data:
    return llvm::formatv("data that each thread loads{0} decide which threads "
                         "of a block {1}",
                         seen.name.empty() ? "" : " ('" + seen.name + "')",
                         what);
  }
  return "";
}

std::string fixOf(const PartialArrival &seen, const Barrier &barrier) {
  if (seen.inIteration)
    return "give all threads of the block the same number of iterations, and "
           "guard the work in them, not the barrier";
  if (seen.by == ArrivalBy::Sizes)
    return llvm::formatv("let threads beyond '{0}' skip the loads and stores, "
                         "not the barrier",
                         seen.name);
  if (doOthersReturn(seen, barrier))
    return "let the threads that return skip the loads and stores, not the "
           "barrier";
  return "end the condition before the barrier, and begin it again behind it";
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  // A template that calls itself with half as many threads has one barrier.
  std::set<std::pair<Place, std::set<Place>>> told;
  for (unsigned i = 0; i < kernel.barriers.size(); ++i) {
    const Barrier &barrier = kernel.barriers[i];
    for (const ShapeCosts &shape : costed.shapes) {
      const std::optional<PartialArrival> seen =
          partialArrival(kernel, shape.shape, barrier);
      // No barrier waits for threads that have returned, and nobody misses
      // them.
      if (!seen || (doOthersReturn(*seen, barrier) && !seen->leavesHole))
        continue;
      if (seen->by == ArrivalBy::Index &&
          !told.insert({barrier.place, {barrier.callSites.begin(),
                                        barrier.callSites.end()}})
               .second)
        break;
      Finding &finding =
          findings.add(barrier.place, barrier.callSites, message(*seen), i);
      finding.about = "barrier";
      // One condition is one cause: a size, a load, or the threads' indexes.
      finding.cause = seen->by == ArrivalBy::Index
                          ? llvm::formatv("a barrier for {0} of {1} threads",
                                          seen->arriving, seen->threads)
                                .str()
                          : seen->name;
      finding.level = levelOf(*seen, barrier);
      const Barrier *others =
          seen->by == ArrivalBy::Index && !seen->inIteration
              ? barrierOfOtherWarps(kernel, shape.shape, barrier)
              : nullptr;
      if (others) {
        // It is written on purpose, and GPUs of today count both.
        finding.level = std::max(finding.level, Level::Likely);
        finding.notes.push_back(
            "the other warps wait at the barrier" +
            atLine(others->place, barrier.place) +
            ": GPUs take the two for one, the programming guide does not "
            "allow it");
      }
      finding.weight = 1 - double(seen->arriving) / seen->threads;
      if (seen->by == ArrivalBy::Sizes)
        finding.notes.push_back(llvm::formatv(
            "where '{0}' is {1}, {2} of the {3} threads of a "
            "block do",
            seen->name, seen->value, seen->arriving, seen->threads));
      if (doOthersReturn(*seen, barrier))
        finding.notes.push_back("the other threads return, and no barrier "
                                "waits for them since compute capability 7.0");
      finding.notes.push_back(shapeNote(shape.shape, finding.place));
      finding.fix = fixOf(*seen, barrier);
      break;
    }
  }
}

/// What nobody but the caller knows, and the finding rests on: a host often
/// pads a length to a multiple of the block.
std::string conditionOf(const CompiledView &view, unsigned barrier) {
  const Kernel &kernel = view.source.kernel;
  for (const ShapeCosts &shape : view.source.shapes)
    if (const auto seen =
            partialArrival(kernel, shape.shape, kernel.barriers[barrier]))
      return seen->by == ArrivalBy::Index ? ""
             : seen->name.empty() ? "the data differ between threads of a block"
             : seen->by == ArrivalBy::Data
                 ? "'" + seen->name + "' differs between threads of a block"
                 : "'" + seen->name + "' is not padded to whole blocks";
  return "";
}

Judgement judge(const Finding &finding, unsigned subject,
                const CompiledView &view) {
  if (!view.ptx)
    return {Verdict::Unjudged, "the compiler left no PTX to look at"};
  const Kernel &ptx = view.ptx->kernel;
  bool isThere = false;
  for (const Barrier &barrier : ptx.barriers) {
    if (!comesFrom(barrier, finding.place))
      continue;
    isThere = true;
    if (dependsOnThread(ptx, barrier.guard))
      return {Verdict::Confirmed,
              "the PTX has the barrier behind a branch that "
              "depends on the thread",
              conditionOf(view, subject)};
  }
  if (!isThere)
    return {Verdict::Unjudged, "the PTX has no barrier at that line"};
  return {Verdict::Refuted, "all threads of a block reach the barrier in the "
                            "PTX"};
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint
