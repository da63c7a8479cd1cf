#include "cost/block_reuse.h"
#include "cost/busiest_shape.h"
#include "cost/reached.h"
#include "cost/same_address.h"
#include "cost/warp.h"
#include "findings/check.h"
#include "findings/in_ptx.h"
#include "findings/share.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "uniform-global-load",
    .summary = "all lanes of a block's warps load the same element of global "
               "memory, another one in each iteration of a loop",
    .why = R"(
A load of one element for all lanes moves one sector, but takes a whole request:
an instruction, an address, and a pass through L1, in every warp and every
iteration. In a filter it is one of the two loads of the inner loop. A tile in
shared memory is closer than L1, and an instruction can read an element of a short
table in constant memory without a load.)",
    .slow = R"(
__global__ void filter(const float *in, const float *tap, float *out,
                       int taps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < taps; ++k)
    sum += tap[k] * in[i + k];
  out[i] = sum;
}
)",
    .fast = R"(
__global__ void filter(const float *in, const float *tap, float *out,
                       int taps) {
  __shared__ float tile[1024];
  for (int k = threadIdx.x; k < taps; k += blockDim.x)
    tile[k] = tap[k];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < taps; ++k)
    sum += tile[k] * in[i + k];
  out[i] = sum;
}
)",
    .cures = R"(
- It fits into shared memory: each block copies it there, then all loop over the
  copy. Longer ones in tiles: each thread of the block loads one element.
- It is read-only and has up to some 300 bytes, or the loop is unrolled:
  '__constant__' memory, or a structure that is passed by value. The warps of
  an SM miss the cache of a longer table: see walked-constant.
- Another row for each blockIdx.y, such as the taps of a filter bank: constant
  memory, if all rows fit into 64 KiB (1.47 times as fast); else the block copies
  its row into shared memory (1.21 times).
- One warp alone: each lane loads one element, and shuffles distribute them.
- Several outputs for each thread: one load into a register then serves all of
  them.
- Contiguous elements: 'float4' loads four in one request.)",
    .whenNot = R"(
The loop has few iterations, or does much else in each. For a load whose address
is loop-invariant see repeated-global-read.)",
    .level = Level::Opinion,
    .since = "next",
    .ncu = "Memory Workload Analysis Tables: 1 sector per request, high L1 hit "
           "rate; Warp State: stall LG throttle and long scoreboard at the "
           "load",
};

/// In loops of fewer iterations there is little to save.
constexpr uint64_t fewIterations = 8;
constexpr double fewLanes = 8;

bool isLong(const Loop &loop) {
  return !loop.tripCount || *loop.tripCount >= fewIterations;
}

/// Returns true if the loop contains another one that is not unrolled: code
/// that its iterations execute once is rare.
bool isOuter(const Kernel &kernel, LoopId id) {
  return llvm::any_of(kernel.loops, [&](const Loop &loop) {
    return loop.parent == id && isLong(loop);
  });
}

/// Returns true if all warps load one element, of a row of blocks at least.
bool isUniform(const Kernel &kernel, const ShapeCosts &costs, unsigned i) {
  const Access &access = kernel.accesses[i];
  const Cost &cost = costs.costs[i];
  return access.operation == Operation::Load && access.need == Need::EachTime &&
         !access.isVolatile && !access.isAsync && access.bytes &&
         cost.space == Space::Global && cost.basis != Basis::Unknown &&
         cost.high <= 1 && cost.lanes >= fewLanes &&
         (sameAddressForAll(kernel, costs.shape.shape, access) ||
          isSameForRowOfBlocks(kernel, costs.shape.shape, access));
}

/// The loop that advances the access from one element to the next.
std::optional<LoopId> advancingLoop(const Kernel &kernel, Shape shape,
                                    const Access &access) {
  if (access.loops.empty())
    return std::nullopt;
  LoopId inner = access.loops.back();
  // A short loop counts as several loads in an iteration of the next outer
  // loop.
  for (LoopId id : llvm::reverse(access.loops)) {
    if (kernel.loops[id].inLibrary || isOuter(kernel, id))
      return std::nullopt;
    auto same = sameAddressNextIteration(kernel, shape, access, id);
    if (!same || (*same && id == inner))
      return std::nullopt;
    if (isLong(kernel.loops[id]))
      return *same ? std::nullopt : std::optional(id);
  }
  return std::nullopt;
}

/// The part of the model's saving that a cure gives: L1 serves one address for
/// all lanes almost as fast as constant or shared memory. Of the six such cures
/// in public programs with which this was set, none gained more than 1.02x, two
/// of kernels that instructions bind (kernels/cures.csv, the half for fitting);
/// four kernels with little else in their loops gained 1.3x to 2.2x
/// (kernels/uniform-global-load).
constexpr double gained = 0.2;

/// The loads that advance with one loop.
struct Group {
  LoopId loop;
  std::vector<unsigned> loads;
};

std::vector<Group> groupsOf(const Kernel &kernel, const ShapeCosts &costs) {
  std::vector<Group> groups;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Access &access = kernel.accesses[i];
    if (access.inLibrary || access.loops.empty() ||
        !isUniform(kernel, costs, i) || writesObjectOf(kernel, costs, i))
      continue; // what is written can be in no constant or shared memory
    auto loop = advancingLoop(kernel, costs.shape.shape, access);
    if (!loop)
      continue;
    auto same = llvm::find_if(
        groups, [&](const Group &group) { return group.loop == *loop; });
    if (same == groups.end())
      groups.push_back({*loop, {i}});
    else
      same->loads.push_back(i);
  }
  return groups;
}

/// Returns true if nothing differs between the lanes: the kernel is meant for
/// one thread, such as one that prints.
bool isForOneThread(const Kernel &kernel, const ShapeCosts &costs) {
  return llvm::all_of(kernel.accesses, [&](const Access &access) {
    return sameAddressForAll(kernel, costs.shape.shape, access);
  });
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  const ShapeCosts &costs = costed.shapes.front();
  std::vector<Group> groups = groupsOf(kernel, costs);
  if (groups.empty() || isForOneThread(kernel, costs))
    return;
  for (const Group &group : groups) {
    const Access &access = kernel.accesses[group.loads[0]];
    const bool isForAll = sameAddressForAll(kernel, costs.shape.shape, access);
    Finding &finding = findings.add(
        access,
        llvm::formatv("all lanes of all warps{0} load the same '{1}', another "
                      "one in each iteration of the loop{2}",
                      isForAll ? "" : " of a block", shown(access),
                      atLine(kernel.loops[group.loop].place, access.place)),
        group.loads[0]);
    finding.weight = group.loads.size();
    // From constant memory it is an operand of the instruction that uses it.
    const ShapeCosts &busiest = busiestShape(costed, access);
    const KernelTime &time = timeOf(costed, busiest);
    Demand saved;
    for (unsigned i : group.loads) {
      saved += time.of(i);
      saved += time.ofInstructions(2, kernel.accesses[i]);
    }
    setShare(finding, costed, busiest, saved * gained);
    if (!isForAll)
      finding.fix = llvm::formatv(
          "keep '{0}' in constant memory if all of it fits into 64 KiB; else "
          "let each block copy what its loop reads into shared memory",
          access.object);
    if (std::string note = othersNote(kernel, group.loads); !note.empty())
      finding.notes.push_back(note);
  }
}

Judgement judge(const Finding &, unsigned subject, const CompiledView &view) {
  std::vector<unsigned> members;
  for (const Group &group :
       groupsOf(view.source.kernel, view.source.shapes.front()))
    if (group.loads[0] == subject)
      members = group.loads;
  // An unrolled loop leaves several loads of different addresses, and may load
  // the elements of several iterations at once.
  std::set<ValueId> unrolled;
  uint64_t iterations = 0;
  return judgeInPtx(
      members, view, Space::Global, [&](const PtxMatch &match) -> Judgement {
        const Kernel &ptx = view.ptx->kernel;
        const Access &access = ptx.accesses[match.access];
        const Cost &cost = match.shape->costs[match.access];
        if (cost.basis == Basis::Unknown)
          return {};
        std::string what = inWords(match, view);
        if (!isUniform(ptx, *match.shape, match.access))
          return {Verdict::Refuted,
                  what + " touches " + shortNumber(cost.sectors) + " sectors"};
        if (!access.loops.empty())
          return {Verdict::Confirmed,
                  what + " is in a loop, one address for all lanes"};
        const unsigned bytes = view.source.kernel.accesses[subject].bytes;
        if (unrolled.insert(access.address).second)
          iterations += std::max(1u, access.bytes / bytes);
        if (iterations >= fewIterations)
          return {Verdict::Confirmed,
                  "the loop is unrolled, and the PTX has a load of one address "
                  "for all lanes in each of its iterations"};
        return {Verdict::Refuted, what + " is in no loop"};
      });
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint
