#include "findings/check.h"
#include "findings/share.h"
#include "findings/wording.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "heavy-branch",
    .summary = "an option that is the same for the whole launch guards code "
               "whose registers keep other warps off the SM, taken or not",
    .why = R"(
A kernel gets the registers that its most demanding path needs, for every thread
and every launch. If an argument chooses that path ('if (refine)'), launches that
do not take it pay for it as well: fewer warps fit in a multiprocessor (SM), and
less of the latency of loads is hidden. The branch itself costs nothing; the code
behind it, which never runs, costs occupancy or spills.

warplint lets ptxas compile the kernel twice more, with the condition fixed to true
and to false. It reports the branch if the kernel without the guarded code takes so
few registers that a third more warps fit in an SM or that its spills are gone, and
if it still has work to do then.)",
    .slow = R"(
__global__ void step(const float *a, const float *b, float *c, int n, int depth,
                     bool refine) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float total = a[i] + b[i];
  if (refine) {
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
        total = total * 0.5f + sum[r][q];
  }
  c[i] = total;
}

void run(const float *a, const float *b, float *c, int n, bool refine) {
  step<<<n / 256, 256>>>(a, b, c, n, 64, refine);
}
)",
    .fast = R"(
template <bool refine>
__global__ void step(const float *a, const float *b, float *c, int n, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float total = a[i] + b[i];
  if constexpr (refine) {
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
        total = total * 0.5f + sum[r][q];
  }
  c[i] = total;
}

void run(const float *a, const float *b, float *c, int n, bool refine) {
  if (refine)
    step<true><<<n / 256, 256>>>(a, b, c, n, 64);
  else
    step<false><<<n / 256, 256>>>(a, b, c, n, 64);
}
)",
    .cures = R"(
- Make the option a template parameter, test it by 'if constexpr', and switch at
  the launch.
- Several options: a template parameter for those whose code is heavy only, or the
  number of instances multiplies.
- Move the rare path into a kernel of its own, which runs where it is asked for.
- A function that is not inlined ('__noinline__') keeps its registers to itself
  where the path is short and its call may cost something.)",
    .whenNot = R"(
The option is on in every launch that matters, or the kernel does not wait for
memory ('low-occupancy' says when more warps help). Options that bound a loop, and
returns that leave the whole kernel, are not reported.)",
    .level = Level::Opinion,
    .since = "next",
    .ncu = "Launch Statistics: Registers Per Thread; Occupancy: Block Limit "
           "Registers; Source Counters: the branch with no instructions "
           "executed behind it",
};

/// The warps that the light form must add, as a part of those of the kernel.
constexpr double leastMoreWarps = 1.0 / 3;
/// Up to so many warps an SM has few, in percent.
constexpr double mostPercent = 50;

unsigned spilled(const Usage &usage) {
  return usage.spillStores + usage.spillLoads;
}

/// How many warps fit with each usage, in blocks of a known shape.
struct Fit {
  const ShapeCosts *shape = nullptr;
  Occupancy now, light;
};

std::optional<Fit> fitOf(const CompiledView &view, const Usage &light) {
  for (const ShapeCosts &costs : view.source.shapes) {
    const KernelShape &shape = costs.shape;
    if (shape.source == ShapeSource::Launch && !shape.sharedMemory)
      continue;
    const unsigned memory = shape.sharedMemory.value_or(0);
    auto now = occupancy(view.compiled.usage, shape.shape.threads(), memory);
    auto then = occupancy(light, shape.shape.threads(), memory);
    if (now && then)
      return Fit{&costs, std::move(*now), std::move(*then)};
    llvm::consumeError(now.takeError());
    llvm::consumeError(then.takeError());
  }
  return std::nullopt;
}

bool isHeavy(const Usage &usage, const Usage &light, const Fit &fit) {
  if (spilled(usage) && !spilled(light))
    return true;
  return fit.now.blocks && fit.now.percent() <= mostPercent &&
         fit.light.warps >= fit.now.warps * (1 + leastMoreWarps);
}

/// "96 registers and 25 % of the warps".
std::string inWords(const Usage &usage, const Occupancy &occupancy) {
  std::string text =
      llvm::formatv("{0} and {1:F0} % of the warps of an SM",
                    counted(usage.registers, "register"), occupancy.percent());
  if (spilled(usage))
    text += llvm::formatv(", {0} bytes of spills", spilled(usage));
  return text;
}

void inspectCompiled(const CompiledView &view, Findings &findings) {
  const Usage &usage = view.compiled.usage;
  for (const OptionBranch &option : view.compiled.options) {
    const bool isTakenLight =
        option.taken.registers < option.notTaken.registers;
    const Usage &light = isTakenLight ? option.taken : option.notTaken;
    if (!(isTakenLight ? option.worksTaken : option.worksNotTaken))
      continue;
    const std::optional<Fit> fit = fitOf(view, light);
    if (!fit || !isHeavy(usage, light, *fit))
      continue;
    const std::string name = templateName(view.source.kernel);
    Finding &finding = findings.add(
        option.place, option.callSites,
        llvm::formatv("'{0}' is the same for all threads, and the code that it "
                      "guards makes '{1}' take {2} registers in place of {3}",
                      option.parameter, name, usage.registers, light.registers),
        0);
    finding.about = option.parameter;
    finding.weight =
        usage.registers - std::min(usage.registers, light.registers);
    setShareOfWarps(finding, view.source, *fit->shape, fit->now.warps,
                    fit->light.warps);
    finding.notes.push_back(shapeNote(fit->shape->shape, finding.place));
    finding.fix = llvm::formatv("make '{0}' a template parameter of '{1}', and "
                                "switch at the launch",
                                option.parameter, name);
    finding.kernels.front().judgement.evidence =
        inWords(usage, fit->now) +
        "; compiled without the code behind the branch: " +
        inWords(light, fit->light);
  }
}

const Enrol enrol({.info = info,
                   .inspect = nullptr,
                   .judge = nullptr,
                   .inspectCompiled = inspectCompiled,
                   .inspectAsks = Asks::PtxWithLines,
                   .asksOptions = true});

} // namespace
} // namespace warplint
