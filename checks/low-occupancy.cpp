#include "findings/check.h"
#include "findings/share.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {
namespace {

/// At this occupancy every kernel of the page's table is slower; above it the
/// arithmetic one is not.
constexpr Threshold mostPercent{
    "percent", 25, 1, 100, "percent of the warps up to which it is reported"};

constexpr CheckInfo info = {
    .id = "low-occupancy",
    .summary = "registers or shared memory allow so few blocks per SM that "
               "other warps hide little of the latency of loads",
    .why = R"(
A multiprocessor (SM) holds as many blocks at a time as its registers, its shared
memory and its warp slots allow, and hides the latency of one warp behind the
work of the others. Occupancy is the share of its warp slots in use. If a kernel
loads from global memory and has only a quarter of the warps or fewer, there may
be too few loads in flight to keep the memory busy. On an H200, unused shared
memory limited plain kernels to fewer and fewer warps; their times relative to
all 64 warps:

  warps  copy  by float4  one load at a time  four at a time  arithmetic
     32  1.05       1.12                1.79            1.25        1.00
     24  1.32       1.26                2.36            1.50        1.00
     16  1.86       1.64                3.37            1.98        1.13
      8  3.50       2.79                6.54            3.58        2.21

warplint computes it as NVIDIA's occupancy calculator does, from the report of
ptxas and the launched blocks. It names the limiting resource, and how much less
of it would allow one block more.)",
    .slow = R"(
__global__ void smooth(const float *in, float *out, int n) {
  __shared__ float strip[12 * 1024];
  int first = blockIdx.x * 12 * 1024;
  for (int i = threadIdx.x; i < 12 * 1024; i += 128)
    strip[i] = in[first + i];
  __syncthreads();
  for (int i = threadIdx.x; i < 12 * 1024 - 1; i += 128)
    out[first + i] = 0.5f * (strip[i] + strip[i + 1]);
}

void run(const float *in, float *out, int n) {
  smooth<<<n / (12 * 1024), 128>>>(in, out, n);
}
)",
    .fast = R"(
__global__ void smooth(const float *in, float *out, int n) {
  __shared__ float strip[1024];
  int first = blockIdx.x * 1024;
  for (int i = threadIdx.x; i < 1024; i += 128)
    strip[i] = in[first + i];
  __syncthreads();
  for (int i = threadIdx.x; i < 1024 - 1; i += 128)
    out[first + i] = 0.5f * (strip[i] + strip[i + 1]);
}

void run(const float *in, float *out, int n) {
  smooth<<<n / 1024, 128>>>(in, out, n);
}
)",
    .cures = R"(
- Shared memory: smaller tiles per block, or more threads for the same tile.
- Registers: fewer live values by a smaller tile per thread, less unrolling, float
  where double is not needed. Launch bounds only if the kernel does not spill then
  ('tight-launch-bounds').
- More loads in flight per thread help as much as more threads: several
  independent elements per iteration, float4, cp.async.
- The block: another size may fit better, as registers are allocated in units and
  the last block may just miss.)",
    .whenNot = R"(
Higher occupancy is not always better. It hides latency, and nothing else: a
kernel that computes from registers, such as a tiled matrix product, is fastest
with an eighth of the warps and all the registers. A tile of 8x8 sums ran six
times as long with all the warps, because it spilled. The same goes for a kernel
with many independent loads in flight per thread. This check is therefore an
opinion: it names kernels whose stall reasons in Nsight Compute are worth a look,
where 'Long Scoreboard' means that warps wait for memory.

It reports nothing above a quarter of the warps; if the block's size or its
dynamic shared memory is unknown; if a kernel loads nothing from global memory, or
does so by cp.async; and if the SMs of a large GPU hold the whole grid at once.)",
    .level = Level::Opinion,
    .since = "next",
    .ncu = "Occupancy: Theoretical Occupancy and the Block Limits; Warp State "
           "Statistics: Stall Long Scoreboard (rules TheoreticalOccupancy, "
           "AchievedOccupancy)",
    .threshold = &mostPercent,
};

bool waitsForMemory(const CostedKernel &costed) {
  bool loads = false;
  const Kernel &kernel = costed.kernel;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    if (kernel.accesses[i].isAsync)
      return false;
    loads |= kernel.accesses[i].operation == Operation::Load &&
             llvm::any_of(costed.shapes, [&](const ShapeCosts &shape) {
               return shape.costs[i].space == Space::Global;
             });
  }
  return loads;
}

/// Returns true if the GPU has no other block to put on an SM that could hold
/// more of them.
bool holdsGrid(const KernelShape &shape, const Usage &usage, unsigned blocks) {
  const uint64_t all =
      uint64_t(blocks) *
      throughputOf(capabilityOf(usage.architecture)).multiprocessors;
  return !shape.launches.empty() &&
         llvm::all_of(shape.launches, [&](const Launched &launch) {
           return launch.blocks() && *launch.blocks() <= all;
         });
}

struct Low {
  const ShapeCosts *costs = nullptr;
  Occupancy occupancy;
  double share = 0; ///< saved by twice as many warps

  const KernelShape &shape() const { return costs->shape; }
  double warps() const { return occupancy.warps; }
  double wanted() const {
    return std::max(warps(), std::min(2 * warps(), double(occupancy.maxWarps)));
  }
};

/// The known shape that loses most by few warps.
Low lowestOf(const CompiledView &view) {
  Low lowest;
  for (const ShapeCosts &costs : view.source.shapes) {
    const KernelShape &shape = costs.shape;
    if (shape.source != ShapeSource::Launch || !shape.sharedMemory)
      continue;
    auto found = occupancy(view.compiled.usage, shape.shape.threads(),
                           *shape.sharedMemory);
    if (!found) {
      llvm::consumeError(found.takeError());
      continue;
    }
    if (!found->blocks || found->percent() > view.source.valueOf(mostPercent) ||
        holdsGrid(shape, view.compiled.usage, found->blocks))
      continue;
    Low low{&costs, std::move(*found)};
    low.share =
        timeOf(view.source, costs).shareOfWarps(low.warps(), low.wanted());
    if (!lowest.costs || low.share > lowest.share ||
        (low.share == lowest.share && low.warps() < lowest.warps()))
      lowest = std::move(low);
  }
  return lowest;
}

/// "registers and shared memory".
std::string inWords(llvm::ArrayRef<OccupancyLimit> limits) {
  llvm::SmallVector<std::string> names;
  for (OccupancyLimit limit : limits)
    names.push_back(spelling(limit));
  return llvm::join(names, " and ");
}

std::string shownBytes(unsigned bytes) {
  return llvm::formatv("{0} bytes of shared memory", bytes);
}

/// "limited by 128 registers, an SM holds 2 blocks of 256 threads, 16 of its 64
/// warps; with at most 80 registers it would hold 3".
std::string evidence(const Usage &usage, const Low &low) {
  const Occupancy &found = low.occupancy;
  llvm::SmallVector<std::string> used, less;
  if (found.limitedBy(OccupancyLimit::Registers))
    used.push_back(llvm::formatv("{0} registers", usage.registers));
  if (found.limitedBy(OccupancyLimit::SharedMemory))
    used.push_back(shownBytes(usage.sharedMemory + *low.shape().sharedMemory));
  std::string text = llvm::formatv(
      "limited by {0}, an SM holds {1} of {2} threads, {3} of its {4} warps",
      used.empty() ? inWords(found.limits) : llvm::join(used, " and "),
      counted(found.blocks, "block"), low.shape().shape.threads(), found.warps,
      found.maxWarps);
  if (!found.next)
    return text;
  if (found.next->registers)
    less.push_back(llvm::formatv("{0} registers", *found.next->registers));
  if (found.next->sharedMemory)
    less.push_back(shownBytes(*found.next->sharedMemory));
  return text + llvm::formatv("; with at most {0} it would hold {1}",
                              llvm::join(less, " and "), found.next->blocks)
                    .str();
}

void inspectCompiled(const CompiledView &view, Findings &findings) {
  if (!waitsForMemory(view.source))
    return;
  const Low low = lowestOf(view);
  if (!low.costs)
    return;
  const Kernel &kernel = view.source.kernel;
  const unsigned percent = view.source.valueOf(mostPercent);
  const std::string share =
      percent == 25 ? "a quarter" : llvm::formatv("{0} %", percent).str();
  Finding &finding = findings.add(
      kernel.place, {},
      llvm::formatv("'{2}' has {1} of an SM's warps or fewer, limited by "
                    "{0}: little hides the latency of its loads",
                    inWords(low.occupancy.limits), share, templateName(kernel)),
      0);
  finding.about = templateName(kernel);
  finding.weight = 100 - low.occupancy.percent();
  setShareOfWarps(finding, view.source, *low.costs, low.warps(), low.wanted());
  finding.notes.push_back(shapeNote(low.shape(), kernel.place));
  std::string &said = finding.kernels.front().judgement.evidence;
  said = evidence(view.compiled.usage, low);
  if (std::string who = registersInWords(view.compiled);
      !who.empty() && low.occupancy.limitedBy(OccupancyLimit::Registers))
    said += "; " + who;
}

const Enrol enrol({.info = info,
                   .inspect = nullptr,
                   .judge = nullptr,
                   .inspectCompiled = inspectCompiled,
                   .inspectAsks = Asks::Report});

} // namespace
} // namespace warplint
