#include "findings/check.h"
#include "findings/frame_rest.h"
#include "findings/share.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "tight-launch-bounds",
    .summary =
        "launch bounds leave the kernel fewer registers than it needs, so "
        "it spills, or a launch exceeds them",
    .why = R"(
'__launch_bounds__(threads, blocks)' promises the compiler that no block has more
threads, and requires that so many blocks fit on a multiprocessor (SM). An SM has
65536 registers, so the two numbers limit the registers per thread:
65536 / (256 * 4) = 64. The compiler spills further values into local memory, which
is off the chip: another store and load each time, in the inner loop if the values
are needed there. '__maxnreg__' and '-maxrregcount' give the number itself.
Higher occupancy rarely pays for spills: a kernel with 64 sums in registers ran
6.2 times as fast on an H200 with a quarter of the warps and all of its registers,
and one with 56 bytes spilled 1.6 times.

warplint runs ptxas on the kernel once more without these limits, and reports them
only if that removes the spills, or more than half of them.

A launch with more threads than the bounds allow does not run at all; it fails
with cudaErrorInvalidValue, which goes unnoticed unless the program checks.)",
    .slow = R"(
__global__ void __launch_bounds__(256, 4)
product(const float *a, const float *b, float *c, int n, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum[8][8] = {};
  for (int k = 0; k < depth; ++k) {
    float x[8], y[8];
    for (int r = 0; r < 8; ++r) {
      x[r] = a[(k * 8 + r) * n + i];
      y[r] = b[(k * 8 + r) * n + i];
    }
    for (int r = 0; r < 8; ++r)
      for (int q = 0; q < 8; ++q)
        sum[r][q] += x[r] * y[q];
  }
  for (int r = 0; r < 8; ++r)
    for (int q = 0; q < 8; ++q)
      c[(r * 8 + q) * n + i] = sum[r][q];
}
)",
    .fast = R"(
__global__ void __launch_bounds__(256, 2)
product(const float *a, const float *b, float *c, int n, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum[8][8] = {};
  for (int k = 0; k < depth; ++k) {
    float x[8], y[8];
    for (int r = 0; r < 8; ++r) {
      x[r] = a[(k * 8 + r) * n + i];
      y[r] = b[(k * 8 + r) * n + i];
    }
    for (int r = 0; r < 8; ++r)
      for (int q = 0; q < 8; ++q)
        sum[r][q] += x[r] * y[q];
  }
  for (int r = 0; r < 8; ++r)
    for (int q = 0; q < 8; ++q)
      c[(r * 8 + q) * n + i] = sum[r][q];
}
)",
    .cures = R"(
- The second number is optional: leave it out, or use the one that warplint names,
  with which the registers suffice.
- The first number is larger than the launched blocks: write the launched size.
  '__launch_bounds__(1024)' for blocks of 256 leaves 64 registers instead of 255.
- The blocks are that large: launch smaller ones, if the kernel does not need all
  those threads to share memory or a barrier. Two blocks of 512 fill the same SM,
  and each thread may have twice the registers.
- '-maxrregcount' limits every kernel of a source: launch bounds for the one that
  needs it instead.
- The kernel does need the occupancy: fewer live values, by a smaller tile per
  thread or a loop that is unrolled less.
- A launch beyond the bounds: fewer threads, or larger bounds.)",
    .whenNot = R"(
Blocks of as many threads as the bounds allow, which work together and would not
fit in an SM without them: nothing is reported. Spills outside of all loops, and
in code for one thread, cost next to nothing and are not reported; three such
cures gave nothing (H100). A kernel that waits for memory may gain more from
another block than it loses: measure both.)",
    .level = Level::Likely,
    .since = "next",
    .ncu = "Launch Statistics: Registers Per Thread; Memory Workload Analysis: "
           "local memory instructions, and L1 to L2 traffic of type Local",
};

unsigned spilled(const Usage &usage) {
  return usage.spillStores + usage.spillLoads;
}

/// ---- launches that exceed the bounds

std::string threadsAllowed(unsigned threads) {
  return counted(threads, "thread");
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  if (!kernel.bounds || !kernel.bounds->maxThreads)
    return;
  for (unsigned i = 0; i < kernel.shapes.size(); ++i) {
    const KernelShape &shape = kernel.shapes[i];
    if (shape.source != ShapeSource::Launch ||
        shape.shape.threads() <= kernel.bounds->maxThreads)
      continue;
    Finding &finding = findings.add(
        shape.place, {},
        llvm::formatv("a block of {0} is launched where the launch bounds of "
                      "'{1}' allow {2}: the launch fails",
                      threadsAllowed(shape.shape.threads()), kernel.name,
                      threadsAllowed(kernel.bounds->maxThreads)),
        i);
    finding.about = kernel.name;
    finding.fix = "fewer threads here, or larger launch bounds";
  }
}

Judgement judge(const Finding &, unsigned subject, const CompiledView &view) {
  const unsigned allowed = view.compiled.limits.maxThreads;
  const Shape &shape = view.source.kernel.shapes[subject].shape;
  if (!allowed)
    return {Verdict::Unjudged, "the PTX has no launch bounds"};
  return {shape.threads() > allowed ? Verdict::Confirmed : Verdict::Refuted,
          "the PTX allows blocks of " + threadsAllowed(allowed)};
}

/// ---- bounds that cause spills

/// "launch bounds of 256 threads and 8 blocks make".
std::string whatMakes(const LaunchLimits &limits) {
  if (limits.maxThreads && limits.minBlocks)
    return llvm::formatv("launch bounds of {0} and {1} make",
                         threadsAllowed(limits.maxThreads),
                         counted(limits.minBlocks, "block"));
  if (limits.maxThreads)
    return "launch bounds of " + threadsAllowed(limits.maxThreads) + " make";
  if (limits.maxRegisters)
    return llvm::formatv("'__maxnreg__({0})' makes", limits.maxRegisters);
  return llvm::formatv("'-maxrregcount={0}' makes", limits.commandRegisters);
}

/// "32 registers and 1184 bytes of spills".
std::string inWords(const Usage &usage) {
  return llvm::formatv(
      "{0} registers and {1}", usage.registers,
      spilled(usage)
          ? llvm::formatv("{0} bytes of spills", spilled(usage)).str()
          : "none");
}

/// The shape for the comparison: a launch's, or the largest allowed one.
const KernelShape *knownShape(const Kernel &kernel) {
  for (ShapeSource source : {ShapeSource::Launch, ShapeSource::LaunchBounds})
    for (const KernelShape &shape : kernel.shapes)
      if (shape.source == source)
        return &shape;
  return nullptr;
}

/// "8 blocks of 256 threads fit in an SM with them, 2 without".
std::string occupancyBought(const CompiledView &view) {
  const KernelShape *shape = knownShape(view.source.kernel);
  if (!shape)
    return "";
  const unsigned threads = shape->shape.threads();
  const unsigned memory = shape->sharedMemory.value_or(0);
  auto with = occupancy(view.compiled.usage, threads, memory);
  auto without = occupancy(*view.compiled.withoutLimits, threads, memory);
  if (!with || !without) {
    llvm::consumeError(with.takeError());
    llvm::consumeError(without.takeError());
    return "";
  }
  if (!without->blocks)
    return llvm::formatv("; without them a block of {0} does not fit in an SM",
                         threadsAllowed(threads));
  if (with->blocks == without->blocks)
    return llvm::formatv("; {0} of {1} fit in an SM with them or without",
                         counted(with->blocks, "block"),
                         threadsAllowed(threads));
  return llvm::formatv("; {0} of {1} fit in an SM with them, {2} without",
                       counted(with->blocks, "block"), threadsAllowed(threads),
                       without->blocks);
}

/// The blocks that an SM holds; nothing for an architecture that is not known.
std::optional<unsigned> blocksOnSm(const Usage &usage, unsigned threads) {
  auto found = occupancy(usage, threads);
  if (found)
    return found->blocks;
  llvm::consumeError(found.takeError());
  return std::nullopt;
}

/// In whole warps; 32 at least.
unsigned mostThreads(const Usage &usage) {
  unsigned most = 32;
  for (unsigned threads = 64; threads <= 1024; threads += 32)
    if (blocksOnSm(usage, threads).value_or(0))
      most = threads;
  return most;
}

/// Returns true if the threads of a block work together: their number belongs
/// to the algorithm.
bool sharesWork(const Kernel &kernel) {
  return llvm::any_of(kernel.accesses, [](const Access &access) {
    return access.space == Space::Shared || access.barrierInterval;
  });
}

/// The tightest bounds that leave the kernel its registers.
std::string looserBounds(const CompiledKernel &kernel, const Kernel &source) {
  const Usage &free = *kernel.withoutLimits;
  const unsigned threads = kernel.limits.maxThreads;
  if (!threads || spilled(free))
    return "";
  const std::optional<unsigned> blocks = blocksOnSm(free, threads);
  if (!blocks)
    return "";
  // Bounds that ask for no more blocks than fit anyway are no tighter.
  const bool areTighter = *blocks < kernel.limits.minBlocks ||
                          kernel.limits.maxRegisters ||
                          kernel.limits.commandRegisters;
  if (*blocks)
    return areTighter ? llvm::formatv(
                            "'__launch_bounds__({0}, {1})' leaves it the {2} "
                            "registers that it takes on {3}",
                            threads, *blocks, free.registers, free.architecture)
                            .str()
                      : "";
  if (sharesWork(source))
    return "";
  return llvm::formatv("blocks of at most {0} threads would leave it the {1} "
                       "registers that it takes on {2}",
                       mostThreads(free), free.registers, free.architecture);
}

/// The number of blocks in the bounds that leaves the kernel its registers.
std::optional<Fix> fewerBlocks(const CompiledKernel &kernel,
                               const Kernel &source) {
  const LaunchLimits &limits = kernel.limits;
  if (!limits.maxThreads || !limits.minBlocks || spilled(*kernel.withoutLimits))
    return std::nullopt;
  const unsigned blocks =
      blocksOnSm(*kernel.withoutLimits, limits.maxThreads).value_or(0);
  if (!blocks || blocks >= limits.minBlocks)
    return std::nullopt;
  return Fix{.change = Change::LimitBlocks,
             .at = source.place,
             .name = templateName(source),
             .number = blocks};
}

/// Returns true if the threads of a block work together, are launched in blocks
/// as large as the bounds allow, and would not all fit in an SM otherwise.
bool needsItsBounds(const CompiledView &view) {
  const Kernel &kernel = view.source.kernel;
  const KernelShape *shape = knownShape(kernel);
  const LaunchLimits &limits = view.compiled.limits;
  if (!shape || shape->source != ShapeSource::Launch || !sharesWork(kernel) ||
      limits.minBlocks > 1 || limits.maxRegisters || limits.commandRegisters ||
      shape->shape.threads() < limits.maxThreads)
    return false;
  return blocksOnSm(*view.compiled.withoutLimits, shape->shape.threads()) == 0u;
}

void inspectCompiled(const CompiledView &view, Findings &findings) {
  const CompiledKernel &compiled = view.compiled;
  const unsigned with = spilled(compiled.usage);
  if (!with || !compiled.withoutLimits)
    return;
  const unsigned without = spilled(*compiled.withoutLimits);
  if (2 * without > with || needsItsBounds(view))
    return;
  if (!anyRepeats(compiled.locals, view.source))
    return;
  Finding &finding =
      findings.add(view.source.kernel.place, {},
                   whatMakes(compiled.limits) + " '" +
                       templateName(view.source.kernel) + "' spill registers",
                   0);
  finding.about = templateName(view.source.kernel);
  finding.weight = with;
  setShareOfLocals(finding, view.source, compiled.locals,
                   compiled.usage.stackFrame);
  finding.fix = looserBounds(compiled, view.source.kernel);
  finding.edit = fewerBlocks(compiled, view.source.kernel);
  finding.kernels.front().judgement.evidence =
      inWords(compiled.usage) + " with them, " +
      inWords(*compiled.withoutLimits) + " without" + occupancyBought(view);
  if (std::string who = registersInWords(compiled); !who.empty())
    finding.kernels.front().judgement.evidence += "; " + who;
  const Frame frame = frameOf(compiled, &view.source.kernel);
  if (const FrameShare *spills = frame.spills())
    if (std::string where = mostly(*spills); !where.empty())
      finding.notes.push_back("local memory holds what is spilled, " + where);
  finding.cause = "spilled registers";
  finding.covers.push_back({"register-spill", finding.place});
}

const Enrol enrol({.info = info,
                   .inspect = inspect,
                   .judge = judge,
                   .inspectCompiled = inspectCompiled,
                   .inspectAsks = Asks::SpillLines});

} // namespace
} // namespace warplint
