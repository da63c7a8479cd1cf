#include "cost/busiest_shape.h"
#include "cost/neighbours.h"
#include "findings/check.h"
#include "findings/in_ptx.h"
#include "findings/share.h"
#include "findings/wording.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>
#include <map>

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "misaligned-global-access",
    .summary = "a constant offset makes every coalesced request begin inside a "
               "sector, so it touches one sector more",
    .why = R"(
Global memory moves in sectors of 32 bytes. 32 neighbouring floats fill four
sectors if the first is aligned to a sector, and touch five if it is not. The next
warp shares the fifth, so L1 or L2 usually has it: 'in[i + 1]' took 1.00 to 1.03
times as long as 'in[i + 64]' on an H200. It is the last few percent of a kernel
that only moves data.)",
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
- A halo around a field: pad it, so that its interior is aligned to a sector: 8
  floats or 4 doubles, or 32 floats for whole cache lines.
- A header in front of the data: pad it to 32 bytes, or store it elsewhere.
- Several arrays in one allocation: round their sizes up.)",
    .whenNot = R"(
Nearly always. It is an opinion for kernels without other findings. A stencil,
which also reads the neighbours and so uses the shared sectors, is not reported.)",
    .level = Level::Opinion,
    .since = "next",
    .ncu = "Source Counters: L2 Theoretical Sectors Global Excessive, 25 % "
           "above ideal for floats (rule UncoalescedGlobalAccess)",
};

/// The offset of an access's requests in a sector, if it is the same for all
/// warps, blocks and iterations and for all sizes that no launch gives, and not
/// 0.
std::optional<unsigned> offsetInSector(const Kernel &kernel,
                                       const KernelShape &launched,
                                       const Access &access) {
  const Shape &shape = launched.shape;
  Evaluation evaluation(kernel, launched.launches);
  // The first iterations, and the second one of each loop.
  std::vector<Iterations> all(1);
  for (LoopId loop : access.loops)
    all.emplace_back()[loop] = 1;
  std::optional<unsigned> common;
  for (unsigned trial : {0, 1, 2})
    for (unsigned block : {0, 1})
      for (unsigned index : {0, 1}) {
        Warp warp(evaluation, shape, index, block, trial);
        for (const Iterations &iterations : all) {
          const LaneValues &address = warp.evaluate(access.address, iterations);
          if (address.unknown || warp.lanes() != ~uint32_t(0))
            return std::nullopt;
          const auto addresses = address.value.toArray();
          unsigned offset = *llvm::min_element(addresses) % sectorBytes;
          if (common.value_or(offset) != offset)
            return std::nullopt;
          common = offset;
        }
        if (shape.threads() <= warpSize)
          break;
      }
  return *common ? common : std::nullopt;
}

/// Returns true if each coalesced request touches one sector more, and no other
/// access uses it.
bool isMisaligned(const Kernel &kernel, const ShapeCosts &costs, unsigned i) {
  const Cost &cost = costs.costs[i];
  const Access &access = kernel.accesses[i];
  if (cost.space != Space::Global || cost.basis != Basis::Exact ||
      cost.lanes < warpSize - 1 || !access.bytes)
    return false;
  const double sideBySide = double(warpSize) * access.bytes / sectorBytes;
  return std::abs(cost.idealSectors - sideBySide) < 0.1 &&
         std::abs(cost.sectors - sideBySide - 1) < 0.1 &&
         !othersUseItsSectors(kernel, costs, i);
}

bool isMisalignedByConstant(const Kernel &kernel, const ShapeCosts &costs,
                            unsigned i) {
  return isMisaligned(kernel, costs, i) &&
         offsetInSector(kernel, costs.shape, kernel.accesses[i]);
}

/// Returns true if one launch may pass an offset, and another one none.
bool mayDifferByLaunch(const CostedKernel &costed, unsigned i) {
  const double besides =
      double(warpSize) * costed.kernel.accesses[i].bytes / sectorBytes + 1;
  return llvm::any_of(costed.shapes, [&](const ShapeCosts &shape) {
    const Cost &cost = shape.costs[i];
    return shape.shape.launches.size() > 1 && cost.isOpen() &&
           cost.space == Space::Global && cost.low < besides &&
           cost.high > besides - 0.1;
  });
}

/// The launch in which `is` is true of an access and costs most; null if there
/// is none.
const ShapeCosts *launchWith(const CostedKernel &costed, unsigned i,
                             bool (*is)(const Kernel &, const ShapeCosts &,
                                        unsigned)) {
  const Kernel &kernel = costed.kernel;
  const Access &access = kernel.accesses[i];
  if (const ShapeCosts *shape = worstShape(costed, [&](const ShapeCosts &each) {
        return is(kernel, each, i) ? executionsIn(costed, each, access) : 0.0;
      }))
    if (const ShapeCosts &alone = executingLaunch(costed, *shape, access);
        is(kernel, alone, i))
      return &alone;
  return mayDifferByLaunch(costed, i)
             ? worstLaunch(costed, access,
                           [&](const ShapeCosts &alone) {
                             return is(kernel, alone, i) ? 1.0 : 0.0;
                           })
             : nullptr;
}

/// The misaligned accesses of a kernel in one launch. They share a cause, such
/// as an index that begins with 1, and one finding.
struct Misaligned {
  const ShapeCosts *shape = nullptr; ///< null: there are none
  std::vector<unsigned> accesses;
};

/// Those of the launch that they cost most.
Misaligned misaligned(const CostedKernel &costed) {
  std::map<const ShapeCosts *, std::vector<unsigned>> all;
  std::vector<const ShapeCosts *> shapes; // in the order of the code
  for (unsigned i = 0; i < costed.kernel.accesses.size(); ++i) {
    if (costed.kernel.accesses[i].inLibrary)
      continue;
    if (const ShapeCosts *shape =
            launchWith(costed, i, isMisalignedByConstant)) {
      all[shape].push_back(i);
      if (!llvm::is_contained(shapes, shape))
        shapes.push_back(shape);
    }
  }
  if (shapes.empty())
    return {};
  const ShapeCosts &worst = dearest(shapes, [&](const ShapeCosts &shape) {
    const KernelTime &time = timeOf(costed, shape);
    return time.share(savedByCoalescing(time, all[&shape]));
  });
  return {&worst, all[&worst]};
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  const auto [found, all] = misaligned(costed);
  if (!found)
    return;
  const ShapeCosts &shape = *found;
  const Access &access = kernel.accesses[all[0]];
  const Cost &cost = shape.costs[all[0]];
  Finding &finding = findings.add(
      access,
      llvm::formatv("{0} of '{1}' begins {2} bytes into a sector, so that "
                    "each request touches {3} sectors where {4} would do",
                    spelling(access.operation), shown(access),
                    *offsetInSector(kernel, shape.shape, access),
                    shortNumber(cost.sectors), shortNumber(cost.idealSectors)),
      all[0]);
  finding.weight = all.size();
  setShare(finding, costed, shape,
           savedByCoalescing(timeOf(costed, shape), all));
  if (std::string note = othersNote(kernel, all); !note.empty())
    finding.notes.push_back(note);
  finding.notes.push_back(
      "assuming that arrays begin as cudaMalloc aligns them");
  finding.notes.push_back(shapeNote(shape.shape, finding.place));
}

Judgement judge(const Finding &, unsigned, const CompiledView &view) {
  return judgeInPtx(
      misaligned(view.source).accesses, view, Space::Global,
      [&](const PtxMatch &match) -> Judgement {
        const Kernel &ptx = view.ptx->kernel;
        const ShapeCosts *launch =
            isMisaligned(ptx, *match.shape, match.access)
                ? match.shape
                : launchWith(*view.ptx, match.access, isMisaligned);
        const Cost &cost = (launch ? launch : match.shape)->costs[match.access];
        if (cost.basis == Basis::Unknown)
          return {};
        return {launch ? Verdict::Confirmed : Verdict::Refuted,
                inWords(match, view) + " touches " + shortNumber(cost.sectors) +
                    " sectors"};
      });
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint
