#include "cost/other_block.h"
#include "findings/check.h"
#include "findings/share.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "partial-warp-block",
    .summary = "the threads of a block leave lanes of its last warp empty, or "
               "are so few that an SM cannot hold enough of them",
    .why = R"(
The hardware makes warps of 32 threads from each block. A block of 100 threads is
four warps, and the fourth one has 4 threads: it takes a warp's slot, registers and
instructions for an eighth of a warp's work. A block of 20 threads leaves more than
a third of all lanes empty.

An SM also holds a limited number of blocks, 32 on most architectures and 16 or 24
on others, however small they are. With blocks of one warp it runs out of blocks
before it has filled half of its warp slots, so fewer warps hide the latency of
loads, and the start of blocks takes part of the time.)",
    .slow = R"(
__global__ void scale(float *v, float by) {
  v[blockIdx.x * blockDim.x + threadIdx.x] *= by;
}

void run(float *v, int n) { scale<<<n / 100, 100>>>(v, 2); }
)",
    .fast = R"(
__global__ void scale(float *v, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    v[i] *= by;
}

void run(float *v, int n) { scale<<<(n + 127) / 128, 128>>>(v, 2, n); }
)",
    .cures = R"(
- A multiple of 32 threads, such as 128 or 256, with 'if (i < n)' for the rest of
  the last block.
- A problem of 10 or 20 elements for each block: several of them in one block, or
  one for each warp, eight warps in a block.
- Tiles of 10x10 or 12x12: 32x4, 16x16, or another shape whose product is a
  multiple of 32.
- One warp for each block: several warps in each block, each with its own part
  ('threadIdx.y', or 'threadIdx.x / 32').)",
    .whenNot = R"(
The kernel takes next to no time, or its blocks use so many registers or so much
shared memory that no more of them would fit anyway; the latter is seen in the
compiled code, and refutes a finding about whole warps. Blocks of which less than
a tenth of the lanes is empty, such as 1000 threads, lose little: an opinion. So are
small blocks of a launch that has larger ones as well, and of a template that the
source launches with larger ones by other arguments: the program tries sizes. A
launch of one block is not reported, nor are whole warps in a grid whose blocks the
SMs hold at once, nor fewer threads than a warp on each SM has: see 'small-grid'.
24 blocks of 128 took 1.8 times as long as 3,072 of one thread: they use 24 SMs.)",
    .level = Level::Likely,
    .since = "next",
    .ncu = "Launch Statistics: Block Size, Threads (rule: block size is no "
           "multiple of 32); Occupancy: Block Limit SM",
};

/// An SM's blocks of fewer threads do not fill its warp slots.
constexpr uint64_t fewThreads = 64;

/// Of the blocks that the fix asks for.
constexpr unsigned usualThreads = 128;

uint64_t lanesOf(uint64_t threads) {
  return (threads + warpSize - 1) / warpSize * warpSize;
}

bool isPartial(uint64_t threads) { return lanesOf(threads) != threads; }

/// Returns true if less than a tenth of the lanes is empty: 1000 threads of
/// 1024 lanes are little to mend.
bool isNearlyFull(uint64_t threads) {
  return 10 * (lanesOf(threads) - threads) < lanesOf(threads);
}

/// Returns true if no launch of this shape is known to have one block.
bool hasManyBlocks(const KernelShape &shape) {
  return shape.grids.empty() || shape.grids.front() > 1;
}

/// Returns true if the largest grid is unknown or has more than one block for
/// each SM, were they blocks of `threads`.
bool fillsSms(const KernelShape &shape, uint64_t threads) {
  return shape.grids.empty() ||
         shape.grids.back() * shape.shape.threads() >
             threads * throughputOf(usualCapability).multiprocessors;
}

/// Returns true if full warps still reach all SMs, or whole warps are more
/// blocks than the SMs hold at once.
bool canGain(const KernelShape &shape) {
  const uint64_t threads = shape.shape.threads();
  return isPartial(threads)
             ? fillsSms(shape, warpSize)
             : threads < fewThreads &&
                   fillsSms(shape, threads * WarpsOnSms::mostBlocks);
}

/// Larger blocks are fewer ones.
std::string fixFor(const KernelShape &shape) {
  if (shape.shape.threads() == warpSize)
    return "launch 128 threads or more: each warp of a block can do what a "
           "block does now";
  std::string fix = "launch a multiple of 32 threads";
  if (shape.grids.empty())
    fix += ", 128 or more if that leaves a block for each SM";
  else if (fillsSms(shape, usualThreads))
    fix += ", 128 or more";
  // Where blockIdx.x alone says which element is whose, more threads would all
  // do the same.
  if (shape.shape.threads() == 1)
    fix +=
        shape.grids.empty() || fillsSms(shape, 1)
            ? ": each thread can do what a block does now, or they can share "
              "its loops"
            : ": they can share its loops";
  return fix;
}

/// Returns true if the same launch has blocks of more threads as well: the
/// program tries sizes, or one call of several asks for this one.
bool hasLarger(const CostedKernel &costed, const KernelShape &shape) {
  return llvm::any_of(costed.shapes, [&](const ShapeCosts &other) {
    return other.shape.source == ShapeSource::Launch &&
           other.shape.place == shape.place &&
           other.shape.shape.threads() >= usualThreads &&
           !isPartial(other.shape.shape.threads());
  });
}

/// Returns true if no launch is seen, and none may have a whole warp. A kernel
/// that does not ask which block it is has one.
bool isBounded(const Kernel &kernel, const KernelShape &shape) {
  if (shape.source != ShapeSource::LaunchBounds ||
      shape.shape.threads() >= warpSize)
    return false;
  for (ValueId id = 0; id < kernel.graph.size(); ++id)
    if (kernel.graph.node(id).op == Op::BlockIndex)
      return true;
  return false;
}

std::string message(const KernelShape &kernelShape) {
  const Shape &shape = kernelShape.shape;
  const uint64_t threads = shape.threads();
  if (kernelShape.source == ShapeSource::LaunchBounds)
    return llvm::formatv("launch bounds of {0} leave {1} of the {2} lanes of "
                         "each warp empty",
                         counted(threads, "thread"), warpSize - threads,
                         warpSize);
  if (!isPartial(threads))
    return llvm::formatv("blocks of {0}: an SM holds too few blocks to fill "
                         "its warp slots",
                         counted(threads, "thread"));
  const std::string size = shape.y * shape.z == 1 ? counted(threads, "thread")
                                                  : shape.text() + " threads";
  return llvm::formatv("blocks of {0} leave {1} of the {2} lanes of their "
                       "warps empty",
                       size, lanesOf(threads) - threads, lanesOf(threads));
}

void inspect(const CostedKernel &costed, Findings &findings) {
  // A library chooses the blocks of its dispatches; see tiled-range-policy.
  if (costed.kernel.isDispatched)
    return;
  for (unsigned i = 0; i < costed.shapes.size(); ++i) {
    const ShapeCosts &costs = costed.shapes[i];
    const KernelShape &shape = costs.shape;
    const uint64_t threads = shape.shape.threads();
    const bool isLaunched =
        shape.source == ShapeSource::Launch && !shape.place.file.empty();
    if ((!isLaunched && !isBounded(costed.kernel, shape)) ||
        !hasManyBlocks(shape) || !canGain(shape))
      continue;
    Finding &finding =
        findings.add(isLaunched ? shape.place : costed.kernel.place, {},
                     message(shape), i);
    finding.about = templateName(costed.kernel);
    // One size of block is one choice, however many instances are launched.
    if (isLaunched)
      finding.cause = "blocks of " + shape.shape.text();
    finding.weight = double(lanesOf(threads)) / threads;
    const KernelTime &time = timeOf(costed, costs);
    if ((isPartial(threads) && isNearlyFull(threads)) ||
        hasLarger(costed, shape) ||
        costed.largestOfTemplate >= std::max(2 * threads, fewThreads))
      finding.level = Level::Opinion;
    // Warps that wait for data leave the SM to others, if it holds them.
    const double all = time.machine().warps;
    const double held = std::min(all, WarpsOnSms::mostBlocks *
                                          double(lanesOf(threads)) / warpSize);
    if (isPartial(threads))
      setShare(finding, costed, costs,
               time.savedByFewerWarps(double(threads) / lanesOf(threads)));
    if (threads >= warpSize &&
        time.shareOfWarps(held, all) >= finding.share.value_or(0))
      setShareOfWarps(finding, costed, costs, held, all);
    // What joined lanes do to each other's sectors and lines.
    if (const auto joined = shareOfJoined(
            costed, costs,
            fillsSms(shape, usualThreads) ? usualThreads : warpSize);
        joined && isPartial(threads))
      finding.share = *joined;
    const std::optional<OtherBlock> other =
        isPartial(threads) ? fasterBlock(costed, costs) : std::nullopt;
    const bool isDearer = other && other->share > finding.share.value_or(0);
    if (isDearer)
      finding.share = other->share;
    if (threads < fewThreads)
      raiseShareByStarts(finding, costed, costs,
                         usualThreads / double(threads));
    finding.fix =
        isDearer
            ? llvm::formatv("launch blocks of {0} threads: whole warps, whose "
                            "rows fill their sectors",
                            other->shape.text())
                  .str()
        : isLaunched ? fixFor(shape)
                     : "raise the bounds, and " + fixFor(shape);
  }
}

Judgement judge(const Finding &, unsigned subject, const CompiledView &view) {
  const Usage &usage = view.compiled.usage;
  if (usage.registers == 0)
    return {Verdict::Unjudged, "ptxas reported nothing for this kernel"};
  const KernelShape &shape = view.source.shapes[subject].shape;
  const uint64_t threads = shape.shape.threads();
  auto found = occupancy(usage, threads, shape.sharedMemory.value_or(0));
  if (!found)
    return {Verdict::Unjudged, llvm::toString(found.takeError())};
  const std::string held =
      llvm::formatv("an SM holds {0} such blocks, {1} of its {2} warps",
                    found->blocks, found->warps, found->maxWarps);
  if (!isPartial(threads) && (!found->limitedBy(OccupancyLimit::Blocks) ||
                              found->warps == found->maxWarps))
    return {Verdict::Refuted, held};
  return {Verdict::Confirmed, held};
}

const Enrol enrol({.info = info,
                   .inspect = inspect,
                   .judge = judge,
                   .judgeAsks = Asks::Report});

} // namespace
} // namespace warplint
