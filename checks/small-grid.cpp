#include "findings/check.h"
#include "findings/share.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "small-grid",
    .summary = "every launch of a kernel leaves half of the GPU's SMs or more "
               "without a block, and has the work for them",
    .why = R"(
A block runs on one multiprocessor (SM). A grid of one block uses one of an H200's
132 SMs, and so at most 1/132 of its instructions and of its L2 bandwidth, however
many threads the block has; '<<<1, 1>>>' uses one lane of it. The GPU is filled by
several blocks on each SM: thousands of threads where the elements are that many.)",
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
- One of several small problems: all of them in one launch, a block for each.)",
    .whenNot = R"(
There is no more work than that: the second step of a reduction, a few rows; or
other kernels run at the same time, in other streams. A kernel is reported only if
the sizes of all its launches are known and make it take about 10 microseconds or
more, which a launch costs anyway. One that another launch gives more blocks, or a
number of them that only the run knows, is not reported.)",
    .level = Level::Opinion,
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

/// The most blocks of any launch; nothing if one of them is unknown.
std::optional<uint64_t> mostBlocks(const CostedKernel &costed) {
  uint64_t most = 0;
  for (const ShapeCosts &costs : costed.shapes) {
    const KernelShape &shape = costs.shape;
    if (shape.source != ShapeSource::Launch || shape.launches.empty() ||
        shape.place.file.empty())
      return std::nullopt;
    for (const Launched &launch : shape.launches) {
      if (!launch.blocks())
        return std::nullopt;
      most = std::max(most, *launch.blocks());
    }
  }
  return most;
}

void inspect(const CostedKernel &costed, Findings &findings) {
  // A library chooses the grids of its dispatches.
  if (costed.kernel.isDispatched)
    return;
  const Throughput &usual = throughputOf(usualCapability);
  const std::optional<uint64_t> blocks = mostBlocks(costed);
  if (!blocks || *blocks == 0 || !isSmall(*blocks, usual.multiprocessors))
    return;
  const ShapeCosts &costs = costed.shapes.front();
  const KernelTime &time = timeOf(costed, costs);
  if (time.microseconds().value_or(0) < fewMicroseconds)
    return;
  const bool isOneThread = *blocks == 1 && costs.shape.shape.threads() == 1;
  Finding &finding = findings.add(
      costs.shape.place, {},
      llvm::formatv("{0} of '{1}': the grid uses {2} of a GPU's SMs, of which "
                    "an H200 has {3}",
                    isOneThread ? "one thread" : counted(*blocks, "block"),
                    templateName(costed.kernel), *blocks,
                    usual.multiprocessors),
      unsigned(*blocks));
  finding.about = templateName(costed.kernel);
  finding.weight = double(usual.multiprocessors) / *blocks;
  Demand saved = time.total() * (1 - double(*blocks) / usual.multiprocessors);
  saved.serialNanoseconds = 0;
  setShare(finding, costed, costs, saved);
  finding.fix =
      "let the grid cover the elements: a thread for each of them, or "
      "a loop that steps by the whole grid";
}

Judgement judge(const Finding &, unsigned blocks, const CompiledView &view) {
  unsigned capability = 0;
  llvm::StringRef name = view.compiled.usage.architecture;
  if (!name.consume_front("sm_") || name.consumeInteger(10, capability))
    return {Verdict::Unjudged, "ptxas does not say for which architecture"};
  const unsigned all = throughputOf(capability).multiprocessors;
  if (!isSmall(blocks, all))
    return {Verdict::Refuted,
            llvm::formatv("a GPU of this architecture has {0} SMs", all)};
  return {Verdict::Confirmed,
          llvm::formatv("{0} of {1} SMs of a large GPU of this architecture "
                        "have a block",
                        blocks, all)};
}

const Enrol enrol({.info = info,
                   .inspect = inspect,
                   .judge = judge,
                   .judgeAsks = Asks::Report});

} // namespace
} // namespace warplint
