#include "cost/block_reuse.h"
#include "cost/reached.h"
#include "cost/tile_reads.h"
#include "findings/check.h"
#include "findings/in_ptx.h"
#include "findings/share.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "block-wide-reload",
    .summary =
        "all warps of a block load the same elements of global memory in "
        "each iteration of a loop",
    .why = R"(
Each warp makes a request of its own, even if another warp of the block has just
loaded the same elements. L1 has them, mostly, but the request takes an instruction,
a pass through L1 and its latency, once for each warp. If the block loads a part of
the data into shared memory once, each element costs one request instead of one for
each warp, and all warps read it from there. In a product of matrices one thread for
each element loads every element of a row and of a column, and a tile of 32 by 32
elements takes one of 32 of these loads.)",
    .slow = R"(
__global__ void product(const float *a, const float *b, float *c, int n) {
  int column = blockIdx.x * 16 + threadIdx.x;
  int row = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

void run(const float *a, const float *b, float *c, int n) {
  product<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n);
}
)",
    .fast = R"(
__global__ void product(const float *a, const float *b, float *c, int n) {
  __shared__ float rows[16][16], columns[16][16];
  int column = blockIdx.x * 16 + threadIdx.x;
  int row = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    rows[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    columns[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum += rows[threadIdx.y][j] * columns[j][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

void run(const float *a, const float *b, float *c, int n) {
  product<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n);
}
)",
    .cures = R"(
- A tile in shared memory: all threads of the block load one part of the data, wait
  at a barrier, and read it from there; then the next part.
- A product of matrices: cuBLAS, or CUTLASS.
- More outputs for each thread: a load into a register then serves several of them,
  without shared memory.)",
    .whenNot = R"(
The loop is short, the data are small and stay in L1, or the kernel waits for
something else. One element for all lanes of a warp costs L1 no more than shared
memory; what a tile saves is that four floats are read at once. Beside a load of
other elements by each lane, which mostly takes the time, it is reported only if
that matters.)",
    .level = Level::Opinion,
    .since = "next",
    .ncu = "Memory Workload Analysis: L1 hit rate, and far more requests than "
           "misses; Warp State Statistics: stalls on LG throttle and long "
           "scoreboard at the load",
};

/// Fewer iterations, and fewer warps that share a request, leave little to
/// save.
constexpr uint64_t fewIterations = 8;
constexpr double fewWarps = 4, fewLanes = 8;

bool isLong(const Loop &loop) {
  return !loop.tripCount || *loop.tripCount >= fewIterations;
}

/// The loop that moves a load from one element to the next, if it is long; a
/// short one around the load counts as several loads in the next outer loop.
std::optional<LoopId> advancingLoop(const Kernel &kernel, Shape shape,
                                    const Access &load) {
  for (LoopId id : llvm::reverse(load.loops)) {
    const auto same = sameAddressNextIteration(kernel, shape, load, id);
    if (kernel.loops[id].inLibrary || !same)
      return std::nullopt;
    if (isLong(kernel.loops[id]))
      return *same ? std::nullopt : std::optional(id);
  }
  return std::nullopt;
}

/// The warps of a block that share each request of a load in a loop; nothing if
/// too few do, or if a tile would not help.
std::optional<double> sharedBy(const Kernel &kernel, const ShapeCosts &costs,
                               unsigned i) {
  const Access &load = kernel.accesses[i];
  const Cost &cost = costs.costs[i];
  const Shape &shape = costs.shape.shape;
  if (load.operation != Operation::Load || load.need != Need::EachTime ||
      load.isVolatile || load.isAsync || !load.bytes || load.loops.empty() ||
      cost.space != Space::Global || cost.basis == Basis::Unknown ||
      !cost.active || cost.lanes < fewLanes ||
      shape.threads() < fewWarps * warpSize)
    return std::nullopt;
  // Neighbouring elements of one sector are not the same: warps that deal the
  // elements among themselves have no use for a tile.
  const auto warps = warpsPerRequest(kernel, shape, load, load.bytes);
  return warps && *warps >= fewWarps ? warps : std::nullopt;
}

/// The loads that advance with one loop.
struct Group {
  const ShapeCosts *shape;
  LoopId loop;
  double warps;
  std::vector<unsigned> loads;
};

/// Returns true if all warps of a block write the same elements: they do the
/// same work, which a tile does not cure. Atomics add up what differs.
bool isRedundant(const Kernel &kernel, const ShapeCosts &costs) {
  bool writes = false;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Access &write = kernel.accesses[i];
    if (write.operation == Operation::Load ||
        costs.costs[i].space == Space::Local)
      continue;
    if (write.operation == Operation::Atomic)
      return false;
    // Neighbouring elements of one sector are not the same work.
    const auto warps = warpsPerRequest(kernel, costs.shape.shape, write,
                                       /*bytes=*/1);
    if (!warps || *warps < fewWarps)
      return false;
    writes = true;
  }
  return writes;
}

/// Returns true if all lanes of a warp load one element.
bool isUniform(const Cost &cost) {
  return distinctAddresses(cost.addresses, cost.active) == 1;
}

/// Returns true if a loop loads something in global memory that differs between
/// the lanes of a warp.
bool loadsByLane(const Kernel &kernel, const ShapeCosts &costs, LoopId loop) {
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Access &load = kernel.accesses[i];
    if (load.operation == Operation::Load && load.need == Need::EachTime &&
        costs.costs[i].space == Space::Global &&
        llvm::is_contained(load.loops, loop) &&
        (costs.costs[i].basis == Basis::Unknown || !isUniform(costs.costs[i])))
      return true;
  }
  return false;
}

/// Returns true if a tile may pay of elements that all lanes of a warp load
/// alike. A few of them fit into constant memory: uniform-global-load.
bool isTileOfUniform(const CostedKernel &costed, const ShapeCosts &costs,
                     const Access &load) {
  constexpr double fewElements = 256;
  double elements = 1;
  for (LoopId id : llvm::reverse(load.loops)) {
    const auto same =
        sameAddressNextIteration(costed.kernel, costs.shape.shape, load, id);
    if (!same || elements > fewElements)
      break;
    const Trips trips = timeOf(costed, costs).frequencies().trips(id);
    if (!*same)
      elements *= trips.isAssumed ? fewElements + 1 : trips.count;
  }
  return elements > fewElements;
}

std::vector<Group> groupsOf(const CostedKernel &costed) {
  const Kernel &kernel = costed.kernel;
  std::vector<Group> groups;
  // A function that a library's dispatch calls has no shared memory of its own.
  if (kernel.isDispatched)
    return groups;
  for (const ShapeCosts &shape : costed.shapes) {
    std::optional<bool> redundant; // asked once there is a load
    for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
      const Access &load = kernel.accesses[i];
      if (load.inLibrary)
        continue;
      const auto warps = sharedBy(kernel, shape, i);
      const auto loop = warps && !writesObjectOf(kernel, shape, i)
                            ? advancingLoop(kernel, shape.shape.shape, load)
                            : std::nullopt;
      if (loop && !redundant)
        redundant = isRedundant(kernel, shape);
      if (!loop || *redundant ||
          (isUniform(shape.costs[i]) &&
           !isTileOfUniform(costed, shape, load)) ||
          llvm::any_of(groups, [&](const Group &group) {
            return group.shape != &shape && llvm::is_contained(group.loads, i);
          }))
        continue;
      auto same = llvm::find_if(groups, [&](const Group &group) {
        return group.shape == &shape && group.loop == *loop;
      });
      if (same == groups.end())
        groups.push_back({&shape, *loop, *warps, {i}});
      else
        same->loads.push_back(i);
    }
  }
  return groups;
}

/// The other warps' requests become requests of shared memory, of which there
/// may be fewer by `requests`.
Demand savedByTile(const CostedKernel &costed, const Group &group,
                   Demand requests) {
  const KernelTime &time = timeOf(costed, *group.shape);
  Demand moved;
  for (unsigned i : group.loads) {
    Demand one = time.of(i);
    one.wavefronts = 0;
    moved += one;
  }
  return requests += moved * (1 - 1 / group.warps);
}

/// A load that differs between the lanes of a warp mostly takes the time of a
/// loop. Beside one, a tile of elements that they load alike gained 1.22x and
/// 1.3x (H100), and nothing for a query against points, which L2 limits (H200,
/// a predicted share of 0.02).
bool isWorthIt(const CostedKernel &costed, const Group &group,
               const Demand &requests) {
  constexpr double leastShare = 0.04;
  const ShapeCosts &shape = *group.shape;
  return llvm::any_of(group.loads,
                      [&](unsigned i) { return !isUniform(shape.costs[i]); }) ||
         !loadsByLane(costed.kernel, shape, group.loop) ||
         timeOf(costed, shape).share(requests) >= leastShare;
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  for (const Group &group : groupsOf(costed)) {
    const Demand requests =
        requestsSavedByTile(costed, *group.shape, group.loads);
    if (!isWorthIt(costed, group, requests))
      continue;
    const unsigned first = group.loads[0];
    const Access &load = kernel.accesses[first];
    Finding &finding = findings.add(
        load,
        llvm::formatv("{0} warps of a block load the same elements, '{1}', in "
                      "each iteration of the loop{2}",
                      shortNumber(group.warps), shown(load),
                      atLine(kernel.loops[group.loop].place, load.place)),
        first);
    finding.weight = group.warps;
    setShare(finding, costed, *group.shape,
             savedByTile(costed, group, requests));
    finding.fix = llvm::formatv(
        "let the block load a tile of '{0}' into shared memory, and all warps "
        "read it from there",
        load.object);
    if (std::string note = othersNote(kernel, group.loads); !note.empty())
      finding.notes.push_back(note);
    finding.notes.push_back(shapeNote(group.shape->shape, finding.place));
  }
}

Judgement judge(const Finding &, unsigned subject, const CompiledView &view) {
  std::vector<unsigned> members;
  for (const Group &group : groupsOf(view.source))
    if (group.loads[0] == subject)
      members = group.loads;
  uint64_t unrolled = 0;
  return judgeInPtx(
      members, view, Space::Global, [&](const PtxMatch &match) -> Judgement {
        const Kernel &ptx = view.ptx->kernel;
        const std::string what = inWords(match, view);
        if (match.shape->costs[match.access].basis == Basis::Unknown)
          return {};
        const auto warps = sharedBy(ptx, *match.shape, match.access);
        if (!ptx.accesses[match.access].loops.empty() && warps)
          return {Verdict::Confirmed,
                  llvm::formatv("{0} is in a loop, and {1} warps of a block "
                                "load the same elements",
                                what, shortNumber(*warps))};
        if (ptx.accesses[match.access].loops.empty() &&
            ++unrolled >= fewIterations)
          return {
              Verdict::Confirmed,
              llvm::formatv("the loop is unrolled, and the PTX has {0} such "
                            "loads",
                            unrolled)};
        return {Verdict::Refuted,
                what + (ptx.accesses[match.access].loops.empty()
                            ? " is in no loop"
                            : " loads other elements in each warp")};
      });
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint
