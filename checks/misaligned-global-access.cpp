#include "cost/neighbours.h"
#include "findings/check.h"
#include "findings/in_ptx.h"
#include "findings/wording.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "misaligned-global-access",
    .summary = "a constant offset makes every request of neighbouring lanes "
               "begin inside a sector, so it touches one sector more",
    .why = R"(
Global memory is moved in sectors of 32 bytes. 32 neighbouring floats fill four
sectors when the first of them begins one, and touch five when it does not. The
fifth is shared with the next warp, so L1 or L2 usually has it: 'in[i + 1]'
took 1.00 to 1.03 times as long as 'in[i + 64]' on an H200. It is the last few
percent of a kernel that does nothing but move data.)",
    .slow = R"(
__global__ void scale(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * in[i + 1];
}
)",
    .fast = R"(
__global__ void scale(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * in[i + 8];
}
)",
    .cures = R"(
- A margin around a field: pad it, so that its inner part begins with a sector:
  8 floats or 4 doubles, or 32 floats for whole cache lines.
- A header in front of the data: pad it to 32 bytes, or keep it elsewhere.
- Several arrays carved out of one allocation: round their sizes up.)",
    .whenNot = R"(
Nearly always. It is an opinion for those who have cured everything else; a
stencil, which reads the neighbours as well and so uses the sectors it shares,
is not reported.)",
    .level = Level::Opinion,
    .since = "next",
    .ncu = "Source Counters: L2 Theoretical Sectors Global Excessive, 25 % "
           "above ideal for floats (rule UncoalescedGlobalAccess)",
};

/// How many bytes into a sector the requests of an access start, if
/// that is the same for all warps, blocks and sizes, and not 0.
std::optional<unsigned> offsetInSector(const Kernel &kernel, Shape shape,
                                       const Access &access) {
  Evaluation evaluation(kernel);
  const Iterations iterations(kernel.loops.size(), 0);
  std::optional<unsigned> common;
  for (unsigned trial : {0, 1, 2})
    for (unsigned block : {0, 1})
      for (unsigned index : {0, 1}) {
        Warp warp(evaluation, shape, index, block, trial);
        const LaneValues &address = warp.evaluate(access.address, iterations);
        if (address.unknown || warp.lanes() != ~uint32_t(0))
          return std::nullopt;
        unsigned offset = *llvm::min_element(address.value) % sectorBytes;
        if (common.value_or(offset) != offset)
          return std::nullopt;
        common = offset;
        if (shape.threads() <= warpSize)
          break;
      }
  return *common ? common : std::nullopt;
}

/// Whether another access uses what this one leaves of its sectors, as in a
/// stencil.
bool isShared(const Kernel &kernel, const ShapeCosts &costs, unsigned i) {
  return llvm::any_of(nearbyOnSameSectors(kernel, costs, i), [&](unsigned j) {
    return costs.costs[j].addresses != costs.costs[i].addresses;
  });
}

/// One sector more in each request of a warp whose lanes stand side by side,
/// and nobody else to use it.
bool isMisaligned(const Kernel &kernel, const ShapeCosts &costs, unsigned i) {
  const Cost &cost = costs.costs[i];
  const Access &access = kernel.accesses[i];
  if (cost.space != Space::Global || cost.basis != Basis::Exact ||
      cost.lanes < warpSize - 1 || !access.bytes)
    return false;
  const double sideBySide = double(warpSize) * access.bytes / sectorBytes;
  return std::abs(cost.idealSectors - sideBySide) < 0.1 &&
         std::abs(cost.sectors - sideBySide - 1) < 0.1 &&
         !isShared(kernel, costs, i);
}

bool isMisalignedByConstant(const Kernel &kernel, const ShapeCosts &costs,
                            unsigned i) {
  return isMisaligned(kernel, costs, i) &&
         offsetInSector(kernel, costs.shape.shape, kernel.accesses[i]);
}

/// The accesses of a kernel that are, in one shape: an index that begins with 1
/// moves all of them, and one word is enough for it.
std::vector<unsigned> misaligned(const Kernel &kernel,
                                 const ShapeCosts &costs) {
  std::vector<unsigned> result;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i)
    if (!kernel.accesses[i].inLibrary &&
        isMisalignedByConstant(kernel, costs, i))
      result.push_back(i);
  return result;
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  const ShapeCosts &shape = costed.shapes.front();
  std::vector<unsigned> all = misaligned(kernel, shape);
  if (all.empty())
    return;
  const Access &access = kernel.accesses[all[0]];
  const Cost &cost = shape.costs[all[0]];
  Finding &finding = findings.add(
      access,
      llvm::formatv("{0} of '{1}' begins {2} bytes into a sector, so that "
                    "each request touches {3} sectors where {4} would do",
                    spelling(access.operation), shown(access),
                    *offsetInSector(kernel, shape.shape.shape, access),
                    shownNumber(cost.sectors), shownNumber(cost.idealSectors)),
      all[0]);
  finding.weight = all.size();
  if (std::string note = othersNote(kernel, all); !note.empty())
    finding.notes.push_back(note);
  finding.notes.push_back(
      "arrays are taken to begin as cudaMalloc aligns them");
  finding.notes.push_back(shapeNote(shape.shape, finding.place));
}

Judgement judge(const Finding &, unsigned, const CompiledView &view) {
  std::vector<unsigned> members =
      misaligned(view.source.kernel, view.source.shapes.front());
  return judgeInPtx(members, view, Space::Global,
                    [&](const PtxMatch &match) -> Judgement {
                      const Kernel &ptx = view.ptx->kernel;
                      const Cost &cost = match.shape->costs[match.access];
                      if (cost.basis == Basis::Unknown)
                        return {};
                      bool real = isMisaligned(ptx, *match.shape, match.access);
                      return {real ? Verdict::Confirmed : Verdict::Refuted,
                              inWords(match, view) + " touches " +
                                  shownNumber(cost.sectors) + " sectors"};
                    });
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint
