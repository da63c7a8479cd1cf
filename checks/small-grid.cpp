#include "cost/launch_size.h"
#include "cost/reached.h"
#include "findings/check.h"
#include "findings/share.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "small-grid",
    .summary =
        "the blocks of a launch leave SMs of the GPU without work: there are "
        "too few, or a few blocks too many for one wave",
    .why = R"(
A block runs on one multiprocessor (SM). A grid of one block uses one of an H200's
132 SMs, and so at most 1/132 of its instructions and of its L2 bandwidth, however
many threads the block has; '<<<1, 1>>>' uses one lane of it. The GPU is filled by
several blocks on each SM: thousands of threads where the elements are that many.

An SM holds as many blocks at once as its registers, shared memory and warp slots
allow, two of the largest or 16 and more of small ones. Of 272 blocks where 264 fit
at once, the last 8 begin when the others end: the kernel takes the time of two waves
for the work of one.)",
    .slow = R"(
__global__ void addInBlock(int n, const float *x, float *y) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    y[i] = x[i] + y[i];
}

void run(const float *x, float *y) { addInBlock<<<1, 256>>>(1 << 20, x, y); }
)",
    .fast = R"(
__global__ void add(int n, const float *x, float *y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    y[i] = x[i] + y[i];
}

void run(const float *x, float *y) {
  add<<<(1 << 20) / 256, 256>>>(1 << 20, x, y);
}
)",
    .cures = R"(
- Independent elements: an index over the whole grid, 'blockIdx.x * blockDim.x +
  threadIdx.x', and '(n + 255) / 256' blocks.
- A reduction: a grid that reduces to one value for each block, and a second,
  small step; or cub::DeviceReduce.
- Steps that wait for each other: one launch for each step, or a cooperative launch
  whose grid waits ('this_grid().sync()').
- One of several small problems: all of them in one launch, a block for each. A loop
  of the host that launches a part of the elements each time: one launch (6.9 times
  as fast with 1,024 rows instead of 50 at a time).
- A long loop in each thread: several threads, or blocks, that share its iterations
  (15 and 4.4 times as fast).
- A second wave of few blocks: as many blocks as fit at once, in a loop that steps by
  the whole grid; cudaOccupancyMaxActiveBlocksPerMultiprocessor gives their number.
  Or smaller blocks, whose last wave is shorter.)",
    .whenNot = R"(
There is no more work than that: the second step of a reduction, a few rows, a chain of
steps that need each other (1.01 times as fast in blocks of half the size); or
other kernels run at the same time, in other streams. A launch is reported only if its
sizes are known and make it take about 10 microseconds or more, which a launch costs
anyway. Where the grid is known and a size of a loop is not, the finding is an opinion.
Where another launch has more blocks, or a number of them that only the run knows, the
threads of the grid must share a loop, and all sizes be known. A last wave that gives half of the SMs or more a block is not reported: they share the work.)",
    .level = Level::Likely,
    .since = "next",
    .ncu = "Launch Statistics: Grid Size, Waves Per SM (rule: small grid); "
           "GPU Speed of Light: low in everything",
};

/// A launch costs about as much.
constexpr double fewMicroseconds = 10;

/// The SMs of the GPUs of one architecture differ: half of them is a clear
/// case.
bool isSmall(uint64_t blocks, unsigned multiprocessors) {
  return 2 * blocks <= multiprocessors;
}

/// The level of a finding by the time that the kernel takes, as far as its
/// launches say; nothing if it takes next to none.
std::optional<Level> levelOf(const CostedKernel &costed,
                             const ShapeCosts &costs) {
  const std::optional<double> time = timeOf(costed, costs).microseconds();
  // Without the launch's other arguments, nobody knows how long it takes.
  const std::vector<Launched> &launches = costs.shape.launches;
  const bool isKnown =
      !launches.empty() && llvm::all_of(launches, [](const Launched &launch) {
        return launch.blocks().has_value();
      });
  if (time && isKnown && *time >= fewMicroseconds)
    return Level::Likely;
  return growsWithSizes(costed, costs) ? std::optional(Level::Opinion)
                                       : std::nullopt;
}

/// The costs in one launch, with the level of what is said about it.
struct Longest {
  std::unique_ptr<const ShapeCosts> costs; ///< their time refers to them
  /// The level, and the negative of the microseconds: the least rank is told.
  std::pair<Level, double> rank;
};

/// The launch that takes longest of those that take long by all that they pass,
/// else of those whose work grows with what only the run knows: of
/// 'argc > 1 ? atoi(argv[1]) : 1 << 24', the default says enough.
std::optional<Longest> longestOf(const CostedKernel &costed,
                                 llvm::ArrayRef<ShapeCosts> shapes) {
  std::optional<Longest> found;
  auto add = [&](ShapeCosts one) {
    auto kept = std::make_unique<const ShapeCosts>(std::move(one));
    const std::optional<Level> level = levelOf(costed, *kept);
    const double less = -timeOf(costed, *kept).microseconds().value_or(0);
    if (level && (!found || std::pair(*level, less) < found->rank))
      found = Longest{std::move(kept), {*level, less}};
  };
  for (const ShapeCosts &costs : shapes)
    for (const Launched &launch : costs.shape.launches)
      add(ofLaunch(costs, launch));
  return found;
}

/// More threads have something to do if there are more elements, or if they
/// share what one of them does.
std::string fixFor(const CostedKernel &costed, const ShapeCosts &costs) {
  if (!canShareMore(costed, costs))
    return "give one grid the elements of several launches, if there are more "
           "of them; smaller blocks use more SMs";
  const Kernel &kernel = costed.kernel;
  const std::optional<LoopId> loop = loopOfEachThread(costed, costs);
  const auto ids = llvm::seq<LoopId>(0, kernel.loops.size());
  const auto shared =
      llvm::find_if(ids, [&](LoopId id) { return stepsByGrid(kernel, id); });
  if (!loop && shared != ids.end())
    return llvm::formatv(
        "launch more blocks: the loop{0} steps by the whole grid, so each "
        "thread then has fewer iterations; what has an element for each block "
        "or thread must grow with them",
        atLine(kernel.loops[*shared].place, costs.shape.place));
  if (!loop)
    return "let the grid cover the elements: a thread for each of them, or a "
           "loop that steps by the whole grid";
  const Place &place = kernel.loops[*loop].place;
  return llvm::formatv(
      "let more threads share the iterations of the loop{0}, if these do not "
      "need each other; else give one grid the elements of several launches",
      atLine(place, costs.shape.place));
}

/// Adds a finding about a launch with so few blocks.
void add(const CostedKernel &costed, const ShapeCosts &costs, uint64_t blocks,
         Level level, Findings &findings) {
  const unsigned all = throughputOf(usualCapability).multiprocessors;
  const bool isOneThread = blocks == 1 && costs.shape.shape.threads() == 1;
  Finding &finding = findings.add(
      costs.shape.place, {},
      llvm::formatv("{0} of '{1}': the grid uses {2} of a GPU's SMs, of which "
                    "an H200 has {3}",
                    isOneThread ? "one thread" : counted(blocks, "block"),
                    templateName(costed.kernel), blocks, all),
      unsigned(blocks));
  finding.level = level;
  finding.about = templateName(costed.kernel);
  finding.weight = double(all) / blocks;
  if (level == Level::Likely) {
    setShare(finding, costed, costs, savedOnAllSms(costed, costs, blocks));
  } else {
    finding.notes.emplace_back(
        "the launch does not say how much work there is");
  }
  finding.fix = fixFor(costed, costs);
}

/// Finds the first small launch that takes long by all that it passes, among
/// launches of which others have more blocks: a grid of as many threads as
/// elements is small where there are few.
void inspectEach(const CostedKernel &costed, Findings &findings) {
  // With more blocks, the threads of the others have fewer iterations.
  if (!sharesLoop(costed.kernel))
    return;
  const unsigned all = throughputOf(usualCapability).multiprocessors;
  for (const ShapeCosts &costs : costed.shapes) {
    if (costs.shape.source != ShapeSource::Launch)
      continue;
    for (const Launched &launch : costs.shape.launches) {
      const uint64_t blocks = launch.blocks().value_or(0);
      if (!blocks || !isSmall(blocks, all) || launch.place.file.empty())
        continue;
      const ShapeCosts one = ofLaunch(costs, launch);
      if (growsWithSizes(costed, one) || levelOf(costed, one) != Level::Likely)
        continue;
      add(costed, one, blocks, Level::Likely, findings);
      return;
    }
  }
}

void inspect(const CostedKernel &costed, Findings &findings) {
  // A library chooses the grids of its dispatches.
  if (costed.kernel.isDispatched || onlyPrints(costed.kernel))
    return;
  const unsigned all = throughputOf(usualCapability).multiprocessors;
  const std::optional<uint64_t> blocks = mostBlocks(costed);
  if (!blocks || !isSmall(*blocks, all)) {
    inspectEach(costed, findings);
    return;
  }
  if (const auto longest = longestOf(costed, costed.shapes); longest && *blocks)
    add(costed, *longest->costs, longest->costs->shape.grids.back(),
        longest->rank.first, findings);
}

/// Those of a large GPU of the architecture that the kernel was compiled for.
unsigned multiprocessors(const Usage &usage) {
  return throughputOf(capabilityOf(usage.architecture)).multiprocessors;
}

/// A share of the time of the last wave that is worth a report.
constexpr double leastLoss = 0.2;

/// The share of the time in which SMs have no block, since the last wave is
/// short. One that gives most SMs a block keeps them busy: with fewer blocks on
/// an SM, each of them runs faster.
double lossOf(uint64_t blocks, uint64_t atOnce, unsigned multiprocessors) {
  const uint64_t last = blocks % atOnce;
  if (blocks <= atOnce || last == 0 || !isSmall(last, multiprocessors))
    return 0;
  const double waves = double(blocks) / atOnce;
  return 1 - waves / std::ceil(waves);
}

/// Finds launches whose last wave has few blocks.
void inspectCompiled(const CompiledView &view, Findings &findings) {
  const CostedKernel &costed = view.source;
  const unsigned all = multiprocessors(view.compiled.usage);
  if (costed.kernel.isDispatched || onlyPrints(costed.kernel))
    return;
  for (const ShapeCosts &costs : costed.shapes) {
    const KernelShape &shape = costs.shape;
    if (shape.source != ShapeSource::Launch || shape.place.file.empty() ||
        shape.grids.empty())
      continue;
    auto held = occupancy(view.compiled.usage, shape.shape.threads(),
                          shape.sharedMemory.value_or(0));
    if (!held) {
      llvm::consumeError(held.takeError());
      continue;
    }
    const uint64_t atOnce = uint64_t(held->blocks) * all;
    // The largest launch takes the most time.
    const uint64_t blocks = shape.grids.back();
    const double loss = atOnce ? lossOf(blocks, atOnce, all) : 0;
    // A grid that the host makes as large as its GPU has no such number.
    if (loss < leastLoss || launchesOtherGrids(blocks, shape.launches) ||
        blocks % throughputOf(usualCapability).multiprocessors == 0)
      continue;
    const auto longest = longestOf(costed, costs);
    if (!longest || longest->costs->shape.grids.back() != blocks)
      continue;
    const ShapeCosts &one = *longest->costs;
    const Level level = longest->rank.first;
    const uint64_t last = blocks % atOnce;
    Finding &finding = findings.add(
        shape.place, {},
        llvm::formatv("{0} of '{1}' where {2} fit on the GPU at once: the last "
                      "{3} for as long as the others did",
                      counted(blocks, "block"), templateName(costed.kernel),
                      atOnce,
                      last == 1 ? "one runs" : std::to_string(last) + " run"),
        unsigned(blocks));
    finding.level = level;
    finding.about = templateName(costed.kernel) + ", last wave";
    finding.weight = loss;
    if (level == Level::Likely) {
      Demand saved = timeOf(costed, one).total() * loss;
      saved.serialNanoseconds = 0;
      setShare(finding, costed, one, saved);
    }
    finding.fix = llvm::formatv("launch a multiple of {0} blocks, and let a "
                                "loop step by the whole grid",
                                atOnce);
    finding.kernels.front().judgement.evidence =
        llvm::formatv("an SM holds {0} such blocks, and a large GPU of this "
                      "architecture has {1} SMs",
                      held->blocks, all);
  }
}

Judgement judge(const Finding &, unsigned blocks, const CompiledView &view) {
  if (view.compiled.usage.architecture.empty())
    return {Verdict::Unjudged, "ptxas does not say for which architecture"};
  const unsigned all = multiprocessors(view.compiled.usage);
  if (!isSmall(blocks, all))
    return {Verdict::Refuted,
            llvm::formatv("a GPU of this architecture has {0} SMs", all)};
  return {Verdict::Confirmed,
          llvm::formatv("{0} of {1} SMs of a large GPU of this architecture "
                        "{2} a block",
                        blocks, all, blocks == 1 ? "has" : "have")};
}

const Enrol enrol({.info = info,
                   .inspect = inspect,
                   .judge = judge,
                   .inspectCompiled = inspectCompiled,
                   .judgeAsks = Asks::Report,
                   .inspectAsks = Asks::Report});

} // namespace
} // namespace warplint
