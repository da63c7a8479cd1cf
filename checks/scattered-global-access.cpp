#include "cost/busiest_shape.h"
#include "cost/gather.h"
#include "cost/loaded_index.h"
#include "cost/unknown_reason.h"
#include "findings/check.h"
#include "findings/in_ptx.h"
#include "findings/share.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "scattered-global-access",
    .summary =
        "loaded data determine each lane's address in global memory, and so "
        "how many sectors a request touches",
    .why = R"(
The data determine the addresses of a gather 'x[index[i]]' or scatter
'y[index[i]] = v'. With ascending indexes, the access is coalesced and 32 lanes
touch 4 sectors; with random ones each lane touches its own sector, of which it
uses an eighth. The source does not show which it is. One kernel took 3.4 times as
long with random indexes as with ascending ones on an H200. So the code may be
right, but the order of the data matters here.)",
    .slow = R"(
__global__ void distances(const int *neighbour, const float *x, const float *y,
                          const float *z, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = neighbour[i];
  float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
  out[i] = dx * dx + dy * dy + dz * dz;
}
)",
    .fast = R"(
__global__ void distances(const float *x, const float *y, const float *z,
                          float *out, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = i + columns;
  float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
  out[i] = dx * dx + dy * dy + dz * dz;
}
)",
    .cures = R"(
- Order the data: sort the work by the index, number unknowns, cells and
  particles along a space-filling curve or by reverse Cuthill-McKee, so that
  neighbours are close in memory. It is done once and helps every kernel.
- Several arrays by the same index: an array of structures instead, aligned to
  its size, so that each lane touches one sector and not one per array.
- Scatter or gather: prefer the gather, which the caches help.
- A sparse matrix with a thread for each row: a warp for each row, or ELLPACK and
  its variants, so that loads of values and columns are coalesced.
- A small table: copy it into shared memory, where a random access costs a few
  conflict ways and not 32 sectors.
- The index can be computed, as on a regular grid: compute it.)",
    .whenNot = R"(
The data are known to be in order, or the indexed range is so small that it stays
in L1 or L2. An index that cannot reach further than 256 bytes, such
as 'table[key[i] & 15]', is not reported.)",
    .level = Level::Opinion,
    .since = "next",
    .ncu = "Source Counters: L2 Theoretical Sectors Global Excessive (rule "
           "UncoalescedGlobalAccess); Memory Workload Analysis Tables: L1 hit "
           "rate, sectors per request",
};

/// Eight sectors, twice those of a coalesced request of floats: the least range
/// of an index that counts, and the fewest lanes that can touch so many.
constexpr uint64_t reach = 256;
constexpr double fewLanes = 8;

/// The loaded values that a scattered access depends on; none for others.
std::vector<ValueId> scatteredBy(const Kernel &kernel, const ShapeCosts &costs,
                                 unsigned i, LoadedIndexes &indexes) {
  const Cost &cost = costs.costs[i];
  const Access &access = kernel.accesses[i];
  if (cost.space != Space::Global || cost.basis != Basis::Unknown ||
      !access.bytes || cost.lanes < fewLanes)
    return {};
  return indexes.of(access.address, reach);
}

/// The accesses by one index in the same loops, or at one line.
struct Group {
  std::vector<ValueId> index;
  std::vector<unsigned> accesses;
};

std::vector<Group> groupsOf(const Kernel &kernel, const ShapeCosts &costs,
                            LoadedIndexes &indexes) {
  std::vector<Group> groups;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    std::vector<ValueId> index = scatteredBy(kernel, costs, i, indexes);
    if (index.empty() || kernel.accesses[i].inLibrary)
      continue;
    auto same = llvm::find_if(groups, [&](const Group &group) {
      const Access &first = kernel.accesses[group.accesses[0]];
      const Access &access = kernel.accesses[i];
      return (group.index == index && first.loops == access.loops) ||
             sameLine(first.place, access.place);
    });
    if (same == groups.end())
      groups.push_back({index, {i}});
    else
      same->accesses.push_back(i);
  }
  return groups;
}

/// The basis of the share: where the sectors come from.
std::string restsOn(const Kernel &kernel, const KernelShape &shape,
                    const Access &access, LoadedIndexes &indexes,
                    Frequencies &frequencies) {
  const GatherReach reach =
      gatherReach(kernel, shape, access, indexes, frequencies);
  if (!reach.bytes)
    return "; half way between data that L2 holds and more, in no order";
  return llvm::formatv("; it reaches {0} bytes{1}", uint64_t(*reach.bytes),
                       reach.isOfBlock ? " of each block" : "");
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  const ShapeCosts &shape = costed.shapes.front();
  LoadedIndexes indexes(kernel, shape.shape.shape, shape.shape.launches);
  for (const Group &group : groupsOf(kernel, shape, indexes)) {
    unsigned first = group.accesses[0];
    const Access &access = kernel.accesses[first];
    Finding &finding = findings.add(
        access,
        llvm::formatv(
            "the address of the {0} of '{1}' depends on {2}: the data "
            "determine how many sectors a request touches",
            spelling(access.operation), shown(access),
            unknownReason(kernel, group.index[0])),
        first);
    finding.weight = group.accesses.size();
    const ShapeCosts &busiest = busiestShape(costed, access);
    const KernelTime &time = timeOf(costed, busiest);
    setShare(finding, costed, busiest, savedByCoalescing(time, group.accesses));
    finding.cost +=
        restsOn(kernel, busiest.shape, access, indexes, time.frequencies());
    if (std::string note = othersNote(kernel, group.accesses); !note.empty())
      finding.notes.push_back(note);
  }
}

Judgement judge(const Finding &, unsigned subject, const CompiledView &view) {
  const Kernel &source = view.source.kernel;
  const ShapeCosts &shape = view.source.shapes.front();
  LoadedIndexes inSource(source, shape.shape.shape, shape.shape.launches);
  std::vector<unsigned> members;
  for (const Group &group : groupsOf(source, shape, inSource))
    if (group.accesses[0] == subject)
      members = group.accesses;
  std::optional<LoadedIndexes> indexes;
  if (view.ptx)
    indexes.emplace(view.ptx->kernel, view.ptx->shapes.front().shape.shape);
  return judgeInPtx(
      members, view, Space::Global, [&](const PtxMatch &match) -> Judgement {
        const Kernel &ptx = view.ptx->kernel;
        std::string what = inWords(match, view);
        const Cost &cost = match.shape->costs[match.access];
        if (!scatteredBy(ptx, *match.shape, match.access, *indexes).empty())
          return {Verdict::Confirmed,
                  "the address of " + what + " is made from loaded data"};
        if (cost.basis == Basis::Unknown)
          return {};
        return {Verdict::Refuted,
                what + " touches " + shortNumber(cost.sectors) + " sectors"};
      });
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint
