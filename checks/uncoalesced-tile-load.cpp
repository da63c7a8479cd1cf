#include "cost/block_reuse.h"
#include "cost/busiest_shape.h"
#include "cost/index_steps.h"
#include "cost/neighbours.h"
#include "cost/tiles.h"
#include "findings/share.h"
#include "findings/wasteful.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {
namespace {

constexpr Threshold sectors = wastefulSectors;

constexpr CheckInfo info = {
    .id = "uncoalesced-tile-load",
    .summary = "a tile in shared memory is filled by uncoalesced loads, though "
               "the block needs all bytes of their sectors",
    .why = R"(
A tile in shared memory is read in any order at little cost, so the order in which
it is filled is free. If neighbouring lanes load elements that are a row apart, each
request moves up to 32 sectors and uses 4 of 32 bytes of each; the rest are loaded
again by other warps or in other iterations. The same block could load the same tile
with neighbouring lanes on neighbouring elements, and exchange the two indexes as it
stores to shared memory: that is called corner turning.)",
    .slow = R"(
__global__ void rowSums(const float *in, float *out, int n) {
  __shared__ float tile[32][33];
  int row = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += 32) {
    tile[threadIdx.y][threadIdx.x] = in[row * n + k + threadIdx.y];
    __syncthreads();
    if (threadIdx.y == 0)
      for (int j = 0; j < 32; ++j)
        sum += tile[j][threadIdx.x];
    __syncthreads();
  }
  if (threadIdx.y == 0)
    out[row] = sum;
}

void run(const float *in, float *out, int n) {
  rowSums<<<n / 32, dim3(32, 32)>>>(in, out, n);
}
)",
    .fast = R"(
__global__ void rowSums(const float *in, float *out, int n) {
  __shared__ float tile[32][33];
  int first = blockIdx.x * 32;
  float sum = 0;
  for (int k = 0; k < n; k += 32) {
    tile[threadIdx.x][threadIdx.y] =
        in[(first + threadIdx.y) * n + k + threadIdx.x];
    __syncthreads();
    if (threadIdx.y == 0)
      for (int j = 0; j < 32; ++j)
        sum += tile[j][threadIdx.x];
    __syncthreads();
  }
  if (threadIdx.y == 0)
    out[first + threadIdx.x] = sum;
}

void run(const float *in, float *out, int n) {
  rowSums<<<n / 32, dim3(32, 32)>>>(in, out, n);
}
)",
    .cures = R"(
- The index that is contiguous in global memory runs over 'threadIdx.x': exchange
  the parts of the two thread indexes in the address of the load, and the indexes of
  the tile in the store. What reads the tile stays as it is.
- Each thread loads a row of the tile in a loop: let the threads of a warp load one
  row together, 'for (int r = threadIdx.y; r < rows; r += blockDim.y)'.
- The store to the tile now has a stride: one column more, '[32][33]', keeps it free
  of bank conflicts.)",
    .whenNot = R"(
The tile is filled once and the block then works on it for long. Sectors of which
the block needs a part only, such as one member of a structure, are reported by
strided-global-access: another order of the loads does not help there.)",
    .level = Level::Opinion,
    .since = "next",
    .ncu = "Source Counters: L2 Theoretical Sectors Global Excessive (rule "
           "UncoalescedGlobalAccess) at the line that fills the tile",
    .threshold = &sectors,
};

/// Returns true if neighbouring lanes load neighbouring elements as it is: rows
/// that are short or begin inside a sector waste part of it in any order. So do
/// they if each loads the parts of an element that one instruction could load.
bool isInOrder(const CostedKernel &costed, const ShapeCosts &shape,
               unsigned i) {
  constexpr int64_t widest = 16;
  const std::optional<int64_t> step = indexSteps(costed, shape, i).thread[0];
  if (!step)
    return false;
  const Waste group = waste(costed.kernel, shape, i);
  const bool isWhole = group.sectors > 0 && group.sectors == group.idealSectors;
  return std::abs(*step) <=
         (isWhole ? widest : int64_t(costed.kernel.accesses[i].bytes));
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  TwoLanes lanes(kernel);
  for (const TileFill &fill : tileFills(kernel)) {
    const Access &load = kernel.accesses[fill.load];
    // The layout of a library's array has a check of its own.
    if (load.inLibrary || load.layout)
      continue;
    const ShapeCosts *shape = worstShape(costed, [&](const ShapeCosts &shape) {
      return isWasteful(kernel, shape, fill.load, costed.valueOf(sectors)) &&
                     !isInOrder(costed, shape, fill.load) &&
                     isFilledByBlock(kernel, shape.shape.shape, load)
                 ? shape.costs[fill.load].excess() *
                       executionsIn(costed, shape, load)
                 : 0;
    });
    if (!shape)
      continue;
    shape = &executingLaunch(costed, *shape, load);
    const Cost &cost = shape->costs[fill.load];
    const Access &store = kernel.accesses[fill.store];
    Finding &finding = findings.add(
        load,
        llvm::formatv("the load of '{0}' into the tile '{1}' touches {2} "
                      "sectors per request where {3} would hold the bytes "
                      "used; the block as a whole needs them",
                      shown(load), store.object, shortNumber(cost.sectors),
                      shortNumber(cost.idealSectors)),
        fill.load);
    finding.weight = cost.sectors - cost.idealSectors;
    setShare(finding, costed, *shape,
             savedByCoalescing(timeOf(costed, *shape), fill.load));
    finding.fix = llvm::formatv(
        "let neighbouring lanes load neighbouring elements of '{0}', and "
        "exchange the indexes of the store to '{1}'",
        load.object, shown(store));
    finding.notes.push_back(sectorNote(lanes, shape->shape, load, cost));
    finding.notes.push_back(shapeNote(shape->shape, finding.place));
  }
}

Judgement judge(const Finding &, unsigned subject, const CompiledView &view) {
  return judgeWaste(subject, view, view.source.valueOf(sectors));
}

const Enrol enrol({info, inspect, judge, nullptr, "strided-global-access"});

} // namespace
} // namespace warplint
