#include "cost/arrival.h"
#include "cost/block_lanes.h"
#include "cost/loaded_data.h"
#include "findings/check.h"
#include "findings/locate.h"
#include "findings/share.h"
#include "findings/sharing.h"
#include "findings/wording.h"
#include "model/may_be_global.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "single-lane-work",
    .summary = "one lane of a warp executes a long loop, and the other lanes "
               "have nothing to do",
    .why = R"(
A warp takes as long for one lane as for 32. A loop behind 'if (threadIdx.x == 0)'
runs one iteration after the other, each waits for its own loads, and nothing hides
that wait: the other threads of the block have left, or wait at the next barrier. A
store, an atomic or the sum of a few partial results by one thread costs next to
nothing; a loop over the elements of the block, or of the data, takes the time of
the kernel.)",
    .slow = R"(
__global__ void sums(const float *in, float *out) {
  __shared__ float part[256];
  part[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int i = 0; i < 256; ++i)
      sum += part[i];
    out[blockIdx.x] = sum;
  }
}

void run(const float *in, float *out, int blocks) {
  sums<<<blocks, 256>>>(in, out);
}
)",
    .fast = R"(
__global__ void sums(const float *in, float *out) {
  __shared__ float part[8];
  float sum = in[blockIdx.x * 256 + threadIdx.x];
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 8; ++i)
      sum += part[i];
    out[blockIdx.x] = sum;
  }
}

void run(const float *in, float *out, int blocks) {
  sums<<<blocks, 256>>>(in, out);
}
)",
    .cures = R"(
- A sum, a minimum, a maximum: shuffles within each warp, then the few results of
  the warps by one thread; or cub::BlockReduce.
- Copies and initial values: a loop of all threads, 'i = threadIdx.x; i < n;
  i += blockDim.x'.
- A running sum: cub::BlockScan, or a scan by shuffles.
- The partial results of all blocks: a second kernel with a whole block, or one
  atomic for each block.
- A serial recurrence, such as a factorisation of a small matrix: one for each
  thread or each warp, many of them at a time.)",
    .whenNot = R"(
Each iteration needs the one before, and there is nothing else to do meanwhile; or
the rest of the kernel takes far longer. A loop that ends when data say so, such as
a search, a list or a wait for another block, is not reported, nor is a loop of
fewer than 48 iterations in all (16 at a time, 3 where each loads the address that the
next one reads), nor one that starts asynchronous copies.)",
    .level = Level::Likely,
    .since = "next",
    .ncu = "Warp State Statistics: Avg. Active Threads Per Warp, stalls at "
           "barriers; Source Counters: the loop's instructions with 1 active "
           "thread",
};

/// One thread sums the results of a block's warps in 32 iterations or fewer.
constexpr double longLoop = 48;
/// The same where a loop around it repeats it.
constexpr double longRepeated = 16;
/// The accesses of an unrolled one: of 16 bytes where they may.
constexpr unsigned leastUnrolled = longLoop / 4;
/// A load from global memory that the next iteration waits for takes as long as
/// so many iterations over shared memory (600 cycles, 30).
constexpr double chained = 20;

/// Returns true if what the loop does could be done by several threads: it
/// moves data, and waits for nobody.
bool isWork(const Kernel &kernel, LoopId id) {
  const Loop &loop = kernel.loops[id];
  if (loop.inLibrary || loop.hasBarrier || loop.hasFence || !loop.hasBound ||
      dependsOnDataOfIteration(kernel, loop.continues, id))
    return false;
  bool moves = false;
  for (const Access &access : kernel.accesses) {
    if (!llvm::is_contained(access.loops, id))
      continue;
    if (access.isVolatile || access.isAsync ||
        access.operation == Operation::Atomic)
      return false;
    // Other threads cannot help with a thread's own array.
    moves |= access.need == Need::EachTime && access.bytes != 0 &&
             access.space != Space::Local;
  }
  return moves;
}

/// The iterations of the loop and of those in it, if they are nested.
double iterationsOf(const Kernel &kernel, Frequencies &frequencies, LoopId id) {
  double inner = 1;
  for (LoopId other = id + 1; other < kernel.loops.size(); ++other)
    if (kernel.loops[other].parent == id)
      inner = std::max(inner, iterationsOf(kernel, frequencies, other));
  return inner * frequencies.trips(id).count;
}

/// Returns true if each iteration waits for data that the one before loaded
/// from global memory, such as the next node of a tree.
bool isChain(const Kernel &kernel, LoopId id) {
  return llvm::any_of(kernel.accesses, [&](const Access &access) {
    return !access.loops.empty() && access.loops.back() == id &&
           access.operation == Operation::Load && mayBeGlobal(access.space) &&
           dependsOnDataOfIteration(kernel, access.address, id);
  });
}

/// Returns true if one lane is busy for long: whenever it enters the loop, and
/// in all.
bool isLong(const Kernel &kernel, Frequencies &frequencies, LoopId id) {
  const double iterations = iterationsOf(kernel, frequencies, id) *
                            (isChain(kernel, id) ? chained : 1);
  double repeats = 1;
  const std::vector<LoopId> nest = kernel.nestOf(id);
  for (LoopId around : llvm::drop_end(nest))
    repeats *= std::max(1.0, frequencies.trips(around).count);
  return iterations >= longLoop ||
         (iterations >= longRepeated && iterations * repeats >= longLoop);
}

/// Blocks all over the grid, if the block decides for whom `condition` holds.
std::vector<BlockPlace> spreadBlocks(const Kernel &kernel,
                                     const KernelShape &shape,
                                     ValueId condition) {
  using Walk = ExpressionGraph::Walk;
  if (kernel.graph.walk(condition, [&](ValueId value) {
        const Op op = kernel.graph.node(value).op;
        return op == Op::BlockIndex ? Walk::Stop : Walk::Into;
      }))
    return {};
  std::vector<BlockPlace> places;
  constexpr uint64_t count = 8;
  constexpr std::array<uint64_t, 3> unknownExtents = {1 << 20, 64, 64};
  auto extent = [&](unsigned dimension) {
    std::optional<uint64_t> known;
    if (!shape.launches.empty())
      known = shape.launches.front().grid[dimension];
    if (!known && dimension == 0 && !shape.grids.empty())
      known = shape.grids.back();
    return known.value_or(unknownExtents[dimension]);
  };
  // Multiples of the golden ratio leave no gap.
  for (uint64_t i = 1; i <= count; ++i) {
    auto part = [&](unsigned dimension) {
      return uint64_t(std::fmod(0.618034 * i, 1) * extent(dimension));
    };
    places.push_back({part(0), part(1), part(2)});
  }
  return places;
}

/// The threads of a block of which one lane of each warp, or of one, passes the
/// condition in these loops; empty if more of them do, or if the run decides.
Threads loneThreads(const Kernel &kernel, const KernelShape &shape,
                    ValueId condition, llvm::ArrayRef<LoopId> loops) {
  // The first warp is whole: its lanes differ only by the thread.
  if (shape.shape.threads() < warpSize ||
      !dependsOnThread(kernel, condition))
    return {};
  // The first iterations around a triangular loop have none of it.
  Iterations first, later;
  for (LoopId around : loops)
    later[around] = 8;
  auto enter = [&](std::optional<BlockPlace> place) {
    BlockLanes lanes(kernel, shape, place);
    Threads threads = lanes.may(condition, first);
    return count(threads) ? threads : lanes.may(condition, later);
  };
  Threads threads = enter({});
  // In a triangle, some blocks have one thread, and others have all.
  auto hasMoreElsewhere = [&] {
    const auto places = spreadBlocks(kernel, shape, condition);
    return llvm::any_of(places, [&](const BlockPlace &other) {
      return mostInOneWarp(enter(other)) > 1;
    });
  };
  if (mostInOneWarp(threads) == 1)
    return hasMoreElsewhere() ? Threads() : threads;
  // One thread of the grid, 'blockIdx.x * blockDim.x + threadIdx.x == 0'.
  threads = enter(BlockPlace{0, 0, 0});
  if (count(threads) != 1)
    return {};
  for (const BlockPlace &other :
       {BlockPlace{1, 0, 0}, BlockPlace{2, 0, 0}, BlockPlace{5, 0, 0},
        BlockPlace{0, 1, 0}, BlockPlace{1, 1, 0}, BlockPlace{0, 0, 1}})
    if (count(enter(other)) > 1)
      return {};
  return hasMoreElsewhere() ? Threads() : threads;
}

/// The first shape in which one lane executes the loop, and its threads.
struct Lone {
  const ShapeCosts *shape = nullptr;
  Threads threads;
};

Lone loneIn(const CostedKernel &costed, ValueId condition,
            llvm::ArrayRef<LoopId> loops) {
  for (const ShapeCosts &shape : costed.shapes)
    if (Threads threads =
            loneThreads(costed.kernel, shape.shape, condition, loops);
        !threads.empty())
      return {&shape, std::move(threads)};
  return {};
}

Lone loneIn(const CostedKernel &costed, LoopId id) {
  return loneIn(costed, costed.kernel.loops[id].enters,
                llvm::ArrayRef(costed.kernel.nestOf(id)).drop_back());
}

/// "one of the 256 threads of a block", "one lane of each warp".
std::string whose(const Lone &lone) {
  return count(lone.threads) == 1
             ? llvm::formatv("one of the {0} threads of a block",
                             lone.shape->shape.shape.threads())
                   .str()
             : "one lane of each warp";
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  std::vector<bool> isCovered(kernel.loops.size());
  for (LoopId id = 0; id < kernel.loops.size(); ++id) {
    const Loop &loop = kernel.loops[id];
    if (loop.parent && isCovered[*loop.parent]) {
      isCovered[id] = true;
      continue;
    }
    if (!isWork(kernel, id))
      continue;
    const Lone lone = loneIn(costed, id);
    if (!lone.shape)
      continue;
    const KernelTime &time = timeOf(costed, *lone.shape);
    if (!isLong(kernel, time.frequencies(), id))
      continue;
    isCovered[id] = true;
    Finding &finding = findings.add(
        loop.place, loop.callSites,
        whose(lone) + " executes this loop, and the others have nothing to do",
        id);
    finding.about = "loop";
    finding.weight = iterationsOf(kernel, time.frequencies(), id);
    setShare(finding, costed, *lone.shape,
             time.ofLoop(id) * (1 - 1.0 / warpSize));
    finding.notes.push_back(shapeNote(lone.shape->shape, finding.place));
    finding.fix =
        sharingAdvice(costed, *lone.shape, id,
                      count(lone.threads) == 1 ? "threads of the block"
                                               : "lanes of the warp");
  }
}

/// Returns true if the source's loop `id` contains what the PTX access does.
bool isOfLoop(const Access &ptx, const Kernel &source, LoopId id) {
  return llvm::any_of(source.accesses, [&](const Access &access) {
    return llvm::is_contained(access.loops, id) &&
           access.operation == ptx.operation && comesFrom(ptx, access.place);
  });
}

Judgement judge(const Finding &, unsigned subject, const CompiledView &view) {
  if (!view.ptx)
    return {Verdict::Unjudged, "the compiler left no PTX to look at"};
  const Kernel &ptx = view.ptx->kernel;
  unsigned left = 0, ofOneLane = 0;
  bool isInLoop = false;
  for (const Access &access : ptx.accesses) {
    if (!isOfLoop(access, view.source.kernel, subject))
      continue;
    ++left;
    for (LoopId loop : access.loops) {
      isInLoop = true;
      if (loneIn(*view.ptx, loop).shape)
        return {Verdict::Confirmed,
                "the PTX has the loop, and one lane of a warp enters it"};
    }
    ofOneLane += ofOneLane < leastUnrolled &&
                 loneIn(*view.ptx, access.guard, access.loops).shape;
  }
  // What is left of it may be in a loop over the grid, which all enter.
  if (isInLoop && ofOneLane < leastUnrolled)
    return {Verdict::Unjudged,
            "who enters the loop in the PTX cannot be followed"};
  // A constant number of iterations leaves no loop.
  if (left >= leastUnrolled)
    return {Verdict::Confirmed,
            llvm::formatv("the loop is unrolled: the PTX has {0} accesses of "
                          "its lines for one lane",
                          left)};
  return {Verdict::Refuted, "the compiler left no such loop in the kernel"};
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint
